import { hiddenFocus, tooWide } from '../focus'
import { screens } from '../screens'
import { expect, test } from '../shop'

// A screen of 1280 x 800 at 200 %, and the narrowest screen that a page has to fit without scrolling sideways.
const enlarged = { width: 640, height: 400 }
const narrowest = { width: 320, height: 640 }

test.use({ viewport: enlarged, isMobile: false, locale: 'en-US' }) // the longer words

for (const [name, path, as] of screens) {
  test(`${name} can be used enlarged`, { tag: '@phone' }, async ({ page, shop }) => {
    if (as) await shop.login(as)
    await page.goto(path)
    for (const size of [enlarged, narrowest]) {
      await page.setViewportSize(size)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expect.poll(() => tooWide(page)).toEqual([])
      expect(await hiddenFocus(page)).toEqual([])
    }
  })
}
