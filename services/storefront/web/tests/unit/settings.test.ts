import { firstLanguage } from '@shop/web/language'
import { afterEach, expect, it, vi } from 'vitest'

const root = document.documentElement
afterEach(() => vi.restoreAllMocks())

it('speaks the language of the shop where the browser knows none of the pages', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fr-FR', 'fr'])
  root.lang = 'en'
  expect(firstLanguage()).toBe('en')
  root.lang = 'zh-CN'
  expect(firstLanguage()).toBe('zh-CN')
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB'])
  expect(firstLanguage()).toBe('en')
})
