import { expect, test } from '../shop'

// What is around the pages: messages, dialogs, and the place in a long list.

test('a message stands above the bars of the page', async ({ page, shop }) => {
  for (const id of [3, 19]) {
    await page.goto(`/goods/${id}`)
    await page.getByRole('button', { name: '加入购物车' }).click()
    const sheet = page.getByRole('dialog')
    for (const button of await sheet.locator('fieldset button:first-child').all()) await button.click()
    if (await sheet.isVisible()) await sheet.getByRole('button', { name: '加入购物车' }).click()
    await above('已加入购物车')
  }
  await page.getByRole('button', { name: '去购物车' }).click()
  await expect(page.getByText('已加入购物车')).toHaveCount(0)
  await page.getByRole('button', { name: /^删除/ }).first().click()
  await above('已从购物车删除')

  async function above(text: string) {
    const [toast, bar] = [page.getByText(text), page.locator('.foot-bar')]
    await expect(toast).toBeVisible()
    const ends = await toast.evaluate((e) => e.getBoundingClientRect().bottom)
    expect(ends).toBeLessThan(await bar.evaluate((e) => e.getBoundingClientRect().top))
  }
  await shop.quiet()
})

test('a list that is loaded again is where it was', async ({ page, shop }) => {
  await page.goto('/goods')
  await shop.quiet()
  await expect(async () => {
    await page.evaluate(() => window.scrollTo({ top: 5000 }))
    expect(await page.evaluate(() => scrollY)).toBe(5000)
  }).toPass()
  await page.reload()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(5000)
})

test('a search without goods has nothing to order', async ({ page, shop }) => {
  await page.goto('/goods?keyword=qqzzxxjj')
  await expect(page.getByText('没有找到与“qqzzxxjj”相关的商品')).toBeVisible()
  await expect(page.getByRole('group', { name: '排序' })).toHaveCount(0)
  await page.goto('/goods?keyword=qqzzxxjj&isNew=1')
  await expect(page.getByText('清除筛选').first()).toBeVisible()
  await expect(page.getByRole('group', { name: '排序' })).toHaveCount(1)
  await shop.quiet()
})

test('whose number is known changes the password without typing it', async ({ page, shop }) => {
  await shop.login()
  await page.goto('/account/profile')
  await page.getByRole('link', { name: '修改密码' }).click()
  await expect(page.getByRole('heading', { name: '修改密码' })).toBeVisible()
  const mobile = page.getByRole('textbox', { name: '手机号' })
  await expect(mobile).toHaveValue('13900000001')
  await expect(mobile).not.toBeEditable()
  await shop.settled()
})
