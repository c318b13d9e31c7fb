import { screens } from '../screens'
import { both, test } from '../shop'

// Every page that needs no state of its own, in both languages and in the dark.
for (const [name, path, as] of screens) {
  test(`${name} looks right`, both, async ({ page, shop }) => {
    if (as) await shop.login(as)
    await page.goto(path)
    await shop.looksRight(name)
  })
}
