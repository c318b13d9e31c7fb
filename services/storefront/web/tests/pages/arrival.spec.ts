import { both, expect, test } from '../shop'

// Pages whose files do not arrive, and how many files there are.

const file = /\/assets\/GoodsPage-[\w-]+\.js$/

test('a first page whose script is refused stays readable, and recovers by itself', both, async ({ page, shop }) => {
  shop.mayFail('GoodsPage')
  shop.mayFail('Failed to fetch')
  await page.route(file, (route) => route.abort())
  await page.goto('/goods/1')
  await expect(page.getByRole('alert')).toContainText('页面没有打开')
  await expect(page.getByRole('button', { name: '再试一次' })).toBeVisible()
  await page.unroute(file)
  await expect(page.getByRole('button', { name: '加入购物车' }).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a tap on a page whose script is refused says so, and leads there once it arrives', async ({ page, shop }) => {
  shop.mayFail('GoodsPage')
  shop.mayFail('Failed to fetch')
  await page.goto('/')
  await shop.quiet()
  await page.route(file, (route) => route.abort())
  const goods = page.locator('a.goods').first()
  const address = await goods.getAttribute('href')
  await page.evaluate(() => sessionStorage.setItem('shop.reopened', '1')) // the first attempt was made
  await goods.click()
  await expect(page.getByRole('alert')).toContainText('页面没有打开')
  await expect(page).toHaveURL(/\/$/)
  await page.unroute(file)
  await page.getByRole('button', { name: '再试一次' }).click()
  await expect(page).toHaveURL(new RegExp(`${address}$`))
  await expect(page.getByRole('button', { name: '加入购物车' }).first()).toBeVisible()
})

test('without its texts a page stays as the service has rendered it, and recovers', async ({ page, shop }) => {
  const texts = /\/assets\/zh-[\w-]+\.js$/
  shop.mayFail('zh-')
  shop.mayFail('Failed to fetch')
  await page.route(texts, (route) => route.abort())
  await page.goto('/goods/1')
  await expect(page.locator('.served h1')).toBeVisible()
  await expect(page.getByRole('link', { name: '加载较慢' })).toBeVisible({ timeout: 20_000 })
  await page.unroute(texts)
  await expect(page.getByRole('button', { name: '加入购物车' }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('link', { name: '加载较慢' })).toBeHidden()
})

test('home asks for at most 20 files before anybody scrolls', both, async ({ page, shop }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await shop.quiet()
  const built = asked.filter((path) => path.startsWith('/assets/'))
  expect(built.length, built.join('\n')).toBeLessThanOrEqual(9)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(20)
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('every page opens without a network once there was an idle moment', async ({ page, shop, context }) => {
    shop.mayFail('/wx/')
    shop.mayFail('ERR_INTERNET_DISCONNECTED')
    await page.goto('/')
    await expect
      .poll(() => page.evaluate(async () => Boolean(await caches.match('/icons/shop.svg'))), { timeout: 20_000 })
      .toBe(true)
    const pages = () =>
      page.evaluate(async () => {
        const found = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
        return found.flat().filter(({ url }) => /CategoryPage-[\w-]+\.js$|CartPage-[\w-]+\.js$/.test(url)).length
      })
    await expect.poll(pages, { timeout: 20_000 }).toBe(2)
    await context.setOffline(true)
    await page.getByRole('link', { name: '分类' }).first().click()
    await expect(page).toHaveURL(/\/category$/)
    await expect(page.getByText('没有网络').first()).toBeVisible()
    await page.reload()
    await expect(page.getByText('没有网络').first()).toBeVisible()
  })
})
