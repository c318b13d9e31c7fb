import { both, expect, test } from '../shop'

// What the service writes into a page, for readers without the script.

test('goods are shown without a script', both, async ({ browser, baseURL, page }) => {
  await page.goto('/goods/1')
  const name = await page.locator('main h1').innerText()
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL, viewport: page.viewportSize() })
  const plain = await context.newPage()
  await plain.goto('/goods/1')
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(plain.getByText(/^¥\d+/).first()).toBeVisible()
  await expect(plain.getByText('商品详情', { exact: true })).toBeVisible()
  const picture = plain.locator('main img').first()
  await expect(picture).toBeInViewport()
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await plain.getByRole('link', { name: '首页' }).click()
  await expect(plain).toHaveURL(/\/$/)
  await plain.getByRole('main').getByRole('link').first().click()
  await expect(plain).toHaveURL(/\/category\/\d+$/)
  await context.close()
})

test('the preview of a link has a title, a picture and a price', async ({ request }) => {
  const headers = { 'User-Agent': 'facebookexternalhit/1.1', Accept: '*/*' }
  const answer = await request.get('/goods/1', { headers })
  expect(answer.status()).toBe(200)
  const html = await answer.text()
  for (const part of ['og:title', 'og:description', 'og:image', 'product:price:amount', 'twitter:card'])
    expect(html).toMatch(new RegExp(`<meta (?:property|name)="${part}" content="[^"]+" />`))
  expect(html).toContain('"@type":"Product"')
  expect((await request.head('/goods/1', { headers })).status()).toBe(200)
  expect((await request.get('/nowhere/at-all', { headers })).status()).toBe(404)
  expect((await request.get('/robots.txt', { headers })).status()).toBe(200)
  const picture = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
  expect((await request.head(picture)).status()).toBe(200)
})

test('an address in English stays in English, and leads to the other one', async ({ page, shop }) => {
  await page.goto('/en/goods/1')
  await shop.quiet()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('button', { name: 'Add to cart' }).first()).toBeVisible()
  await page.goto('/en')
  await shop.quiet()
  await page.locator('a.goods').first().click()
  await expect(page).toHaveURL(/\/en\/goods\/\d+$/)
  await page.goto('/en')
  await page.getByRole('button', { name: '中文' }).first().click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
})

test('the script takes over without a shift', both, async ({ page, shop }) => {
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number }
    seen.shift = 0
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) seen.shift += (e as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/', '/goods/1', '/brands/1']) {
    await page.goto(path)
    await shop.settled()
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift), path).toBeLessThan(0.1)
  }
})
