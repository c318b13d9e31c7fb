import { buyer } from '../orders'
import { expect, test } from '../shop'

test('two searches are two lists on the way back', async ({ page, shop }) => {
  await page.goto('/search')
  await shop.settled()
  const field = page.getByRole('main').getByRole('combobox')
  await field.fill('台灯')
  await field.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“台灯”')
  await expect(page.locator('a.goods').first()).toBeVisible()
  await page.goto('/goods?keyword=露营')
  await expect(page.locator('a.goods', { hasText: '露营炉锅两件套' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“台灯”')
  await expect(page.locator('a.goods', { hasText: '小满台灯' })).toBeVisible()
})

test('a word that no goods have shows those that are meant', async ({ page, shop }) => {
  await page.goto('/goods?keyword=马克怀')
  await shop.settled()
  await expect(page.getByText('没有“马克怀”的商品，为您显示“马克杯”')).toBeVisible()
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  await page.goto('/goods?keyword=青窑')
  await expect(page.locator('a.goods', { hasText: '早安马克杯' })).toBeVisible()
  await expect(page.getByText('为您显示')).toBeHidden()
})

test('the search suggests while one types, by keys as well', async ({ page, shop }) => {
  await page.goto('/search')
  await shop.settled()
  const field = page.getByRole('main').getByRole('combobox')
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('placeholder', '早安马克杯')
  await field.pressSequentially('笔')
  const option = page.getByRole('option', { name: '笔记本', exact: true })
  await expect(option).toBeVisible()
  await field.press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await field.press('Enter')
  await expect(page).toHaveURL(/keyword=%E7%AC%94%E8%AE%B0%E6%9C%AC/)
})

test('goods are suggested with picture and price, and lead to their page', async ({ page, shop }) => {
  await page.goto('/search')
  const field = page.getByRole('main').getByRole('combobox')
  await field.pressSequentially('杯')
  const goods = page.getByRole('option').filter({ has: page.getByText('¥') })
  await expect(goods.first()).toBeVisible()
  expect(await goods.count()).toBeGreaterThan(1)
  await expect(goods.first().locator('img')).toBeVisible()
  await shop.settled()
  await field.press('ArrowUp') // the last one
  await field.press('Enter')
  await expect(page).toHaveURL(/\/goods\/\d+$/)
})

test('the field at the head of a wide screen suggests as well', { tag: '@wide' }, async ({ page, shop }) => {
  await page.goto('/brands')
  await shop.settled()
  const field = page.getByRole('banner').getByRole('combobox')
  await field.pressSequentially('露')
  await page.getByRole('option', { name: '露营', exact: true }).click()
  await expect(page).toHaveURL(/\/goods\?keyword=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“露营”')
  await expect(page.getByRole('option')).toHaveCount(0)
  await field.fill('')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/search$/)
})

test('a guest finds the words again, and clears them', async ({ page, shop }) => {
  await page.goto('/goods?keyword=围巾')
  await shop.settled()
  await page.goto('/search')
  await expect(page.getByRole('heading', { name: '搜索历史' })).toBeVisible()
  await expect(page.getByRole('link', { name: '围巾' })).toBeVisible()
  await page.getByRole('button', { name: '清空搜索历史' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await expect(page.getByText('搜索历史已清空')).toBeVisible()
  await expect(page.getByRole('heading', { name: '搜索历史' })).toBeHidden()
})

test('a shopper finds the words again on every device', async ({ page, shop, isMobile }) => {
  const name = isMobile ? 'demo10' : 'demo11'
  const word = `盘${Date.now() % 100000}`
  const { wx } = await buyer(page.request, name)
  await wx('get', '/wx/goods/list', { keyword: word })
  await shop.login(name)
  await page.goto('/search')
  await expect(page.getByRole('link', { name: word })).toBeVisible()
  await page.getByRole('button', { name: '清空搜索历史' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await expect(page.getByRole('link', { name: word })).toBeHidden()
})
