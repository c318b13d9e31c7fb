import { addressIn, addressPrefix, firstLanguage } from '@shop/web/language'
import { shopLogo, shopNamed } from '@shop/web/settings'
import { afterEach, expect, it, vi } from 'vitest'

const root = document.documentElement
afterEach(() => {
  vi.restoreAllMocks()
  for (const name of ['language', 'name', 'logo']) root.removeAttribute('data-' + name)
  history.replaceState(null, '', '/')
  localStorage.clear()
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

it('speaks the language that the address names, whatever was chosen', () => {
  root.dataset.language = 'zh-CN'
  localStorage.setItem('shop.language', 'zh-CN')
  for (const [address, language, prefix] of [
    ['/en/goods/1', 'en', '/en'],
    ['/en', 'en', '/en'],
    ['/goods/1', 'zh-CN', ''],
    ['/english', 'zh-CN', ''],
    ['/zh/goods/1', 'zh-CN', '/zh'],
  ] as const) {
    history.replaceState(null, '', address)
    expect(firstLanguage(), address).toBe(language)
    expect(addressPrefix(), address).toBe(prefix)
  }
  delete root.dataset.language
  history.replaceState(null, '', '/en/goods/1')
  expect(addressPrefix(), 'a service with one language').toBe('')
})

it('knows the address of a page in each language', () => {
  root.dataset.language = 'zh-CN'
  for (const [address, zh, en] of [
    ['/goods/1?a=1#b', undefined, '/en/goods/1?a=1#b'],
    ['/en/goods/1?a=1#b', '/goods/1?a=1#b', undefined],
    ['/en', '/', undefined],
    ['/', undefined, '/en/'],
  ] as const) {
    history.replaceState(null, '', address)
    expect(addressIn('zh-CN'), address).toBe(zh)
    expect(addressIn('en'), address).toBe(en)
  }
  delete root.dataset.language
  expect(addressIn('en')).toBeUndefined()
})

it('has the name and the picture of the shop from the service', () => {
  expect([shopNamed(), shopLogo()]).toEqual(['', '/icons/shop.svg'])
  root.dataset.name = '小店'
  root.dataset.logo = 'https://cdn.test/logo.png'
  expect([shopNamed(), shopLogo()]).toEqual(['小店', 'https://cdn.test/logo.png'])
})
