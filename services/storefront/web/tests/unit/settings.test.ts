import { firstLanguage } from '@shop/web/language'
import { afterEach, expect, it, vi } from 'vitest'
import { api } from '@/api'
import { upload } from '@/composables/upload'

const root = document.documentElement
afterEach(() => {
  delete root.dataset.uploadLimit
  vi.unstubAllGlobals()
})

it('speaks the language of the shop where the browser knows none of the pages', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR', 'fr'])
  root.lang = 'en'
  expect(firstLanguage()).toBe('en')
  root.lang = 'zh-CN'
  expect(firstLanguage()).toBe('zh-CN')
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB'])
  expect(firstLanguage()).toBe('en')
})

it('makes smaller what is above the limit of the service', async () => {
  vi.spyOn(api, 'upload').mockResolvedValue({ data: undefined as never })
  const read = vi.fn().mockRejectedValue(new Error('no canvas here'))
  vi.stubGlobal('createImageBitmap', read)
  const picture = new File([new Uint8Array(100_000)], 'a.jpg', { type: 'image/jpeg' })
  await upload(picture)
  expect(read).not.toHaveBeenCalled()
  root.dataset.uploadLimit = '65536'
  await upload(picture)
  expect(read).toHaveBeenCalledOnce()
})
