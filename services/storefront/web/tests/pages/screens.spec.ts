import { screens } from '../screens'
import { test } from '../shop'

// Every page that needs no state of its own, in both languages and in the dark.
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
