import { test } from '../shop'

// Every page that needs no state of its own, in both languages and in the dark. A page is one line here.
const screens: [name: string, path: string, as?: string][] = [
  ['home', '/'],
  ['goods', '/goods/1'],
  ['goods-comments', '/goods/1/comments'],
  ['cart-empty', '/cart'],
  ['orders-none', '/orders?tab=3', 'demo98'],
  ['cases-none', '/after-sale?tab=4', 'demo98'],
  ['account-guest', '/account'],
  ['account', '/account', 'demo100'],
  ['login', '/login'],
  ['register', '/register'],
  ['reset', '/reset-password'],
  ['profile', '/account/profile', 'demo100'],
  ['mobile', '/account/mobile', 'demo100'],
  ['addresses', '/account/addresses', 'demo100'],
  ['addresses-choice', '/account/addresses?back=%2Fcheckout', 'demo100'],
  ['address', '/account/addresses/new', 'demo100'],
  ['category', '/category/4'],
  ['goods-list', '/goods?keyword=杯'],
  ['goods-all', '/goods'],
  ['search', '/search'],
  ['brands', '/brands'],
  ['brand', '/brands/3'],
  ['topics', '/topics'],
  ['topic', '/topics/3'],
  ['groups', '/groups'],
  ['group-gone', '/groups/999999'],
  ['coupons', '/coupons'],
  ['help', '/help'],
  ['my-coupons', '/my/coupons', 'demo101'],
  ['my-groups', '/my/groups', 'demo101'],
  ['favourites', '/my/favourites', 'demo101'],
  ['footprints', '/my/footprints', 'demo101'],
  ['feedback', '/my/feedback', 'demo101'],
  ['missing', '/nowhere/at-all'],
]

for (const [name, path, as] of screens) {
  for (const look of ['zh', 'en', 'dark'] as const) {
    test.describe(`${name} ${look}`, () => {
      test.use({ locale: look === 'en' ? 'en-US' : 'zh-CN', colorScheme: look === 'dark' ? 'dark' : 'light' })
      test('looks right', { tag: look === 'zh' ? [] : '@phone' }, async ({ page, shop }) => {
        if (as) await shop.login(as)
        await page.goto(path)
        await shop.settled()
        await shop.picture(`${name}-${look}`)
      })
    })
  }
}
