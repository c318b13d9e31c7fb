import { screens } from '../screens'
import { looks, test } from '../shop'

// Every page that needs no state of its own, in both languages and in the dark.
for (const [name, path, as] of screens) {
  test(`${name} looks right`, looks, async ({ page, shop }) => {
    if (as) await shop.login(as)
    await page.goto(path)
    await shop.looksRight(name)
  })
}
