import { both, expect, test } from '../shop'

test('the categories lead by two levels to goods, and back', both, async ({ page, shop }) => {
  await page.goto('/category')
  await shop.settled()
  const rail = page.getByRole('navigation', { name: '一级分类' })
  await rail.getByRole('link', { name: '餐厨' }).click()
  await expect(page).toHaveURL(/\/category\/\d+$/)
  await expect(rail.getByRole('link', { name: '餐厨' })).toBeFocused()
  await page.getByRole('region', { name: '餐厨' }).getByRole('link', { name: '杯壶' }).click()
  await expect(page).toHaveURL(/\/goods\?category=\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('杯壶')
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '餐厨', exact: true })).toBeVisible()
})

test('a list is sorted and filtered in its address', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=杯')
  await shop.settled()
  await page.getByRole('button', { name: '价格从低到高' }).click()
  await expect(page).toHaveURL(/sort=cheap/)
  const prices = async () =>
    (await page.locator('a.goods .now').allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
  const ascend = async () => {
    const all = await prices()
    return all.length > 2 && all.every((price, i) => i === 0 || price >= (all[i - 1] ?? 0))
  }
  await expect.poll(ascend).toBe(true)
  await page.getByRole('button', { name: '价格从高到低' }).click()
  await expect(page).toHaveURL(/sort=dear/)
  await expect.poll(async () => (await prices())[0] ?? 0).toBeGreaterThan(60)

  if (isMobile) await page.getByRole('button', { name: '筛选' }).click()
  const panel = isMobile ? page.getByRole('dialog', { name: '筛选' }) : page.getByRole('main')
  await panel.getByRole('group', { name: '品牌' }).getByRole('button', { name: '青窑' }).click()
  await expect(page).toHaveURL(/brand=\d+/)
  if (isMobile) await panel.getByRole('button', { name: /查看 \d+ 件商品/ }).click()
  await expect(page.locator('a.goods')).toHaveCount(1)
  await page.reload()
  await expect(page.locator('a.goods')).toHaveCount(1)
  await expect(page.getByRole('button', { name: '价格从低到高' })).toHaveAttribute('aria-pressed', 'true')
})

test('goods are found by their price, also on the way back', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=杯')
  await shop.settled()
  const everything = await page.locator('a.goods').count()
  const panel = isMobile ? page.getByRole('dialog', { name: '筛选' }) : page.getByRole('main')
  const group = panel.getByRole('group', { name: '价格', exact: true })
  const [lowest, highest] = [
    group.getByRole('textbox', { name: '最低价' }),
    group.getByRole('textbox', { name: '最高价' }),
  ]
  const filter = page.getByRole('button', { name: /^筛选/ })
  const prices = async () =>
    (await page.locator('a.goods .now').allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, '')))
  const inRange = async () => {
    const all = await prices()
    return all.length > 0 && all.length < everything && all.every((price) => price >= 20 && price <= 60)
  }

  if (isMobile) await filter.click()
  await lowest.fill('60')
  await highest.fill('20')
  await highest.press('Enter')
  await expect(highest).toHaveAccessibleDescription('最高价不能低于最低价')
  await expect(highest).toBeFocused()
  await shop.settled()
  await lowest.fill('很便宜')
  await group.getByRole('button', { name: '确定' }).click()
  await expect(lowest).toHaveAccessibleDescription(/请输入金额/)
  await expect(lowest).toBeFocused()
  expect(new URL(page.url()).searchParams.has('minPrice')).toBe(false)

  await lowest.fill('20')
  await highest.fill('60')
  if (isMobile) await panel.getByRole('button', { name: /查看/ }).click()
  else await highest.press('Enter')
  await expect(page).toHaveURL(/minPrice=20&maxPrice=60/)
  await expect.poll(inRange).toBe(true)
  if (isMobile) await expect(filter).toHaveText(/1/)

  const found = await page.locator('a.goods').count()
  await page.locator('a.goods').first().click()
  await expect(page).toHaveURL(/\/goods\/\d+$/)
  await shop.settled()
  await page.goBack()
  await expect(page.locator('a.goods')).toHaveCount(found)
  await page.reload()
  await expect.poll(inRange).toBe(true)

  if (isMobile) await filter.click()
  await expect(lowest).toHaveValue('20')
  await shop.settled()
  await shop.picture('list-price')
  await group.getByRole('button', { name: '¥20.00 – ¥60.00' }).click()
  await expect(page).not.toHaveURL(/Price=/)
  await expect(lowest).toHaveValue('')
  await expect(page.locator('a.goods')).toHaveCount(everything)
})

test('the end of a list brings more, and the way back leads to the same place', async ({ page, shop }) => {
  await page.goto('/goods')
  await expect(page.locator('a.goods').nth(19)).toBeVisible()
  await page.locator('a.goods').last().scrollIntoViewIfNeeded()
  await expect.poll(() => page.locator('a.goods').count()).toBeGreaterThan(39)
  const far = page.locator('a.goods').nth(36)
  await far.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  const shown = await page.locator('a.goods').count()
  await far.click()
  await expect(page).toHaveURL(/\/goods\/\d+$/)
  await shop.settled()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before - 60)
  expect(await page.locator('a.goods').count()).toBeGreaterThanOrEqual(shown)
})

test('an empty answer helps', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods?keyword=火星车&brand=1')
  await shop.settled()
  await expect(page.getByText('没有找到与“火星车”相关的商品')).toBeVisible()
  await expect(page.getByRole('heading', { name: '大家都在买' })).toBeVisible()
  await shop.picture('list-empty')
  if (isMobile) await page.getByRole('main').getByRole('button', { name: '清除筛选' }).click()
  else await page.getByRole('main').getByRole('button', { name: '清除筛选' }).last().click()
  await expect(page).not.toHaveURL(/brand/)
  await page.getByRole('link', { name: '春茶' }).click()
  await expect(page.locator('a.goods', { hasText: '明前绿茶' })).toBeVisible()
})

test('a list that fails says so and tries again', async ({ page, shop }) => {
  shop.mayFail('/wx/goods/list')
  await page.route('**/wx/goods/list*', (route) => route.abort())
  await page.goto('/goods')
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/goods/list*')
  await page.getByRole('button', { name: '再试一次' }).click()
  await expect(page.locator('a.goods').first()).toBeVisible()
})

test('brands lead to a brand and its goods', async ({ page, shop }) => {
  await page.goto('/brands')
  await shop.settled()
  await page.getByRole('main').getByRole('link', { name: /青窑/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('青窑')
  await expect(page).toHaveTitle(/青窑/)
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  shop.mayFail('/brands/999999')
  await page.goto('/brands/999999')
  await expect(page.getByRole('main').getByRole('link', { name: '全部品牌' })).toBeVisible()
})
