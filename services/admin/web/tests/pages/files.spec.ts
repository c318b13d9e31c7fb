import { expect, test } from '../console'

// Behind a proxy that puts the console below a path, the addresses of its files lead elsewhere.
test('a page whose files do not load says what the console needs', async ({ page, staff }) => {
  await page.goto('/login')
  await expect(page.locator('.no-files')).toBeHidden()
  staff.mayFail('/assets/')
  await page.route('**/assets/**', (route) => route.abort())
  await page.goto('/login')
  await expect(page.locator('.no-files')).toBeVisible()
  await expect(page.locator('.no-files')).toContainText('a host or a port of its own')
})
