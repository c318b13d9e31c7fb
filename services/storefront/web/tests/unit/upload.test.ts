import { Blob as NodeBlob, File as NodeFile } from 'node:buffer'
import { fitted } from '@shop/web/picture'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from '@/api'
import { upload } from '@/composables/upload'

const root = document.documentElement
let sent: File
let size: [number, number]
let painted: string[]

beforeEach(() => {
  vi.stubGlobal('Blob', NodeBlob) // those of jsdom cannot be read
  vi.stubGlobal('File', NodeFile)
  painted = []
  size = [100, 100]
  vi.spyOn(api, 'upload').mockImplementation((_path, file) => {
    sent = file
    return Promise.resolve({ data: undefined as never })
  })
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: size[0], height: size[1], close: () => {} }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    fillRect: () => painted.push('white'),
    drawImage: () => painted.push('picture'),
  } as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done) {
    done(new Blob([`${this.width} x ${this.height}`]))
  })
})
afterEach(() => {
  delete root.dataset.uploadLimit
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const file = (bytes: number, begin = '') =>
  new File([Uint8Array.from(begin, (c) => c.charCodeAt(0)), new Uint8Array(bytes)], 'a.png')

async function of(picture: File, width: number, height: number): Promise<string> {
  size = [width, height]
  await upload(picture)
  return sent === picture ? 'as it is' : sent.text()
}

it('sends a small picture as it is, and one above the limit of the service smaller', async () => {
  const picture = file(100_000)
  expect(await of(picture, 4000, 3000)).toBe('as it is')
  root.dataset.uploadLimit = '65536'
  expect(await of(picture, 4000, 3000)).toBe('2048 x 1536')
})

it('makes a photograph smaller', async () => {
  expect(await of(file(2_000_000), 4032, 3024)).toBe('2048 x 1536')
  expect(painted).toEqual(['white', 'picture'])
})

it('leaves a long screenshot as wide as its text needs', async () => {
  expect(await of(file(2_000_000), 1080, 16_000)).toBe('1039 x 15396')
  expect(fitted(1080, 9000)).toEqual([1080, 9000])
  expect(fitted(16_000, 1080)).toEqual([15_396, 1039])
  expect(fitted(1, 65_535)).toEqual([1, 65_535])
})

it('makes a picture of few bytes and many pixels smaller, even if it takes more bytes then', async () => {
  expect(await of(file(10), 8064, 6048)).toBe('2048 x 1536')
})

it('never makes a still picture of an animated one', async () => {
  const webp = (flags: string) => `RIFF....WEBPVP8X....${flags}`
  expect(await of(file(2_000_000, 'GIF89a'), 5000, 5000)).toBe('as it is')
  expect(await of(file(2_000_000, webp('\x12')), 5000, 5000)).toBe('as it is')
  expect(await of(file(2_000_000, webp('\x10')), 5000, 5000)).toBe('1536 x 1536')
  expect(await of(file(2_000_000, '\x89PNG....IHDR....acTL....IDAT'), 5000, 5000)).toBe('as it is')
  expect(await of(file(2_000_000, '\x89PNG....IHDR....IDAT....acTL'), 5000, 5000)).toBe('1536 x 1536')
})

it('sends what the browser cannot draw as it is', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  expect(await of(file(2_000_000), 4000, 3000)).toBe('as it is')
})
