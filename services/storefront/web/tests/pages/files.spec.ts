import { expect, test } from '../shop'

// Behind a proxy that puts the shop below a path, the addresses of its files lead elsewhere.
test('a page whose files do not load says what the shop needs', async ({ page, shop }) => {
  await page.goto('/')
  await shop.settled()
  await expect(page.locator('.no-files')).toBeHidden()
  shop.mayFail('/assets/')
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto('/')
  await expect(page.locator('.no-files')).toBeVisible()
  await expect(page.locator('.no-files')).toContainText('a host of its own')
})
