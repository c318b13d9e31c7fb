import { both, expect, test } from '../shop'

test('home shows the shop and leads to goods and back to the same place', both, async ({ page, shop }) => {
  await page.goto('/')
  await shop.settled()
  const last = page.locator('a.goods').last()
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(500)
  await last.click()
  await expect(page).toHaveURL(/\/goods\/\d+$/)
  await expect(page.locator('main h1')).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before - 40)
})

test('the language follows the browser, is switched, and is kept', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.getByRole('button', { name: 'English' }).first().click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'New in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'New in' })).toBeVisible()
})

test('a service that does not answer is told, and tried again', async ({ page, shop }) => {
  shop.mayFail('/wx/home/index')
  await page.route('**/wx/home/index', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/home/index')
  await page.getByRole('button', { name: '再试一次' }).click()
  await expect(page.locator('a.goods').first()).toBeVisible()
})

test.describe('with its service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('without a network the shell opens and says so', async ({ page, context, shop }) => {
    await page.goto('/')
    await shop.settled()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await expect
      .poll(() =>
        page.evaluate(
          async () =>
            (
              await Promise.all((await caches.keys()).map(async (k) => (await (await caches.open(k)).keys()).length))
            )[0] ?? 0,
        ),
      )
      .toBeGreaterThan(3)
    shop.mayFail('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText('当前没有网络，联网后会自动刷新')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('没有网络')
    await context.setOffline(false)
    await expect(page.locator('a.goods').first()).toBeVisible()
    const kept = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return all.flat().map((request) => new URL(request.url).pathname)
    })
    expect(kept.filter((path) => path.startsWith('/wx/'))).toEqual([])
  })
})

test('keys alone lead from the skip link to goods', async ({ page, shop }) => {
  await page.goto('/')
  await shop.settled()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: '跳到主要内容' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
})
