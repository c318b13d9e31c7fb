import { both, expect, test } from '../shop'

test('a guest chooses a product and keeps it in the cart', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods/1')
  await shop.settled()
  await expect(page).toHaveTitle(/松石釉提梁壶/)
  if (isMobile) await page.getByRole('button', { name: '加入购物车' }).click()
  const scope = isMobile ? page.getByRole('dialog') : page.locator('.about')
  for (const value of ['松石', '450ml']) await scope.getByRole('button', { name: value, exact: true }).click()
  await scope.getByRole('button', { name: '增加一件' }).click()
  await scope.getByRole('button', { name: '加入购物车' }).click()
  await expect(page.getByText('已加入购物车')).toBeVisible()
  const rows = await page.evaluate(() => JSON.parse(localStorage.getItem('shop.cart') ?? '[]') as { number: number }[])
  expect(rows.map((row) => row.number)).toEqual([2])
})

test('who buys without a login finds the choice again after it', both, async ({ page, shop, isMobile }) => {
  await page.goto('/goods/1')
  await shop.settled()
  if (isMobile) await page.getByRole('button', { name: '立即购买' }).click()
  const scope = isMobile ? page.getByRole('dialog') : page.locator('.about')
  for (const value of ['松石', '450ml']) await scope.getByRole('button', { name: value, exact: true }).click()
  await scope.getByRole('button', { name: '立即购买' }).click()
  await expect(page).toHaveURL(/\/login\?back=.*product/)
})

test('a dialog keeps the focus and gives it back', async ({ page, shop }) => {
  await page.goto('/goods/1')
  await shop.settled()
  const share = page.getByRole('button', { name: '分享' })
  await share.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '分享' })
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 6; i++) await page.keyboard.press('Tab')
  expect(
    await page.evaluate(
      () =>
        document.querySelector('dialog[open]')?.contains(document.activeElement) ||
        document.activeElement === document.body,
    ),
  ).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(share).toBeFocused()
})

test('pictures are enlarged', async ({ page, shop }) => {
  await page.goto('/goods/1')
  await shop.settled()
  await page.getByRole('button', { name: '放大图片' }).first().click()
  const viewer = page.getByRole('dialog', { name: '松石釉提梁壶' })
  await expect(viewer.getByRole('img').first()).toBeVisible()
  await viewer.getByRole('button', { name: '关闭' }).click()
  await expect(viewer).toBeHidden()
})

test('a favourite is kept for who is logged in', async ({ page, shop }) => {
  await shop.login('demo7')
  await page.goto('/goods/2')
  await shop.settled()
  const heart = page.getByRole('button', { name: '收藏', exact: true })
  const before = await heart.getAttribute('aria-pressed')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true')
})

test('an expired login leads to the login and back', async ({ page, shop }) => {
  await page.addInitScript(() => localStorage.setItem('shop.token', 'long-gone'))
  await page.goto('/goods/2')
  await shop.settled()
  await page.getByRole('button', { name: '收藏', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  expect(await page.evaluate(() => localStorage.getItem('shop.token'))).toBeNull()
})

test('unknown goods say so', async ({ page, shop }) => {
  await page.goto('/goods/999999')
  await expect(page.getByRole('alert')).toBeVisible()
  await shop.settled()
})
