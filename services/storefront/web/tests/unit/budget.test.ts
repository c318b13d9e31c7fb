// @vitest-environment node
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { gunzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../../../../../pkg/web/build/compressed'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const budget = 150 * 1024

/** The files that the service worker keeps are those of the first visit to home, in one language. */
function firstVisit(): string[] {
  const worker = readFileSync(dist + 'worker.js', 'utf8')
  const files = JSON.parse(/const files = (\[.*\])/.exec(worker)?.[1] ?? '[]') as string[]
  return files.filter((name) => /\.(js|css)$/.test(name))
}

describe('the built pages', () => {
  it('need little for the first visit to home', () => {
    const files = firstVisit()
    expect(files.length).toBeGreaterThan(2)
    const size = files.reduce((sum, name) => sum + statSync(dist + name.slice(1) + '.br').size, 0)
    expect(size, `${Math.round(size / 1024)} KB in ${files.length} files`).toBeLessThanOrEqual(budget)
  })

  it('are the same in every encoding', () => {
    for (const path of filesBelow(dist).filter((p) => existsSync(p + '.br'))) {
      const data = readFileSync(path)
      expect(brotliDecompressSync(readFileSync(path + '.br')).equals(data), path).toBe(true)
      expect(Buffer.from(gunzipSync(readFileSync(path + '.gz'))).equals(data), path).toBe(true)
    }
  })

  it('name no other host that a request could go to', () => {
    for (const path of filesBelow(dist).filter((p) => /\.(css|html)$/.test(p))) {
      expect(readFileSync(path, 'utf8'), path).not.toMatch(/(url\(["']?|src="|href=")(https?:)?\/\//)
    }
  })

  it('run under their policy', () => {
    expect(readFileSync(dist + 'index.html', 'utf8')).not.toMatch(/<script(?![^>]*\bsrc=)|\bstyle=|\son\w+=/)
  })
})
