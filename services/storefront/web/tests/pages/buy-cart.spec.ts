import { Shopper, of, row, submit, login } from '../buying'
import { ask, newShopper } from '../people'
import { both, expect, test } from '../shop'

// The cart, and what is chosen at the checkout. Each test has a shopper of its own in either viewport.

test('rows are changed, ticked, removed and put back', both, async ({ page, shop, isMobile }) => {
  const name = of(3, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3, 12, 57)
  await shop.login(name)
  await page.addInitScript(() => localStorage.setItem('shop.prices', JSON.stringify({ 6: 63 })))
  await page.goto('/cart')
  await shop.settled()
  await expect(row(page, '云朵靠垫')).toContainText('比上次看到时便宜 ¥4.00')
  await expect(row(page, '少年科学四册')).not.toContainText('比上次')

  const bar = page.getByRole('region', { name: '合计与结算' })
  await row(page, '云朵靠垫').getByRole('button', { name: '增加一件' }).dblclick()
  await expect(bar.getByRole('button', { name: '去结算 (5)' })).toBeVisible()
  await row(page, '云朵靠垫').getByRole('checkbox').setChecked(false, { force: true })
  await expect(bar.getByRole('button', { name: '去结算 (2)' })).toBeVisible()
  await expect(bar.getByRole('checkbox')).not.toBeChecked()

  await row(page, '格子方枕').getByRole('button', { name: '删除格子方枕' }).click()
  await expect(row(page, '格子方枕')).toHaveCount(0)
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(row(page, '格子方枕')).toBeVisible()

  const pieces = row(page, '少年科学四册').getByRole('textbox')
  await pieces.fill('9000')
  await pieces.press('Enter')
  await expect(page.getByText(/^仅剩 \d+ 件$/)).toBeVisible()
  await expect(pieces).not.toHaveValue('9000')
})

test("a guest's cart survives the login", async ({ page, shop, isMobile }) => {
  const name = of(4, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(12)
  await page.goto('/goods/3?product=6')
  await shop.settled()
  await page.getByRole('button', { name: '加入购物车' }).click()
  await page.getByRole('button', { name: '去购物车' }).click()
  await row(page, '云朵靠垫').getByRole('button', { name: '增加一件' }).click()
  await shop.settled()
  await page.getByRole('button', { name: '去结算 (2)' }).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  await login(page, name)
  await expect(page).toHaveURL(/\/cart$/)
  await expect(row(page, '云朵靠垫').getByRole('textbox')).toHaveValue('2')
  await expect(row(page, '格子方枕')).toBeVisible()
  await page.getByRole('button', { name: '去结算 (3)' }).click()
  await expect(page).toHaveURL(/\/checkout/)
  await expect(page.getByText('云朵靠垫')).toBeVisible()
})

test('coupons are chosen, and those that do not fit say why', both, async ({ page, shop, isMobile }) => {
  const name = of(5, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  const { list } = await shopper.get<{ list: { id: number; name: string }[] }>('/wx/coupon/list?limit=50')
  for (const { id } of list) await shopper.post('/wx/coupon/receive', { couponId: id })
  await shopper.put(1)
  await shop.login(name)
  await page.goto('/checkout')
  await shop.settled()
  await page.getByRole('button', { name: /^优惠券/ }).click()
  const dialog = page.getByRole('dialog', { name: '选择优惠券' })
  await expect(dialog.getByText('金额最高的排在最前')).toBeVisible()
  await expect(dialog.getByText('还差 ¥31.00 可用').first()).toBeVisible()
  await shop.settled()
  await shop.picture('coupons')
  await dialog.getByRole('button', { name: '不使用优惠券' }).click()
  await expect(page.getByRole('button', { name: /^优惠券.*张可用/ })).toBeVisible()
  await page.getByRole('button', { name: /^优惠券/ }).click()
  await dialog.getByRole('button', { name: '无门槛三元券' }).click()
  await expect(page.getByRole('button', { name: /^优惠券.*−¥3\.00/ })).toBeVisible()
  await expect(page.getByText('−¥3.00')).toHaveCount(1)
})

test('a guest is told what has changed, and removes and puts back', both, async ({ page, shop }) => {
  const common = { picUrl: '', specifications: [], checked: true }
  const rows = [
    { ...common, goodsId: 3, productId: 6, number: 1, name: '云朵靠垫', price: 49, key: 'a' },
    { ...common, goodsId: 1, productId: 1, number: 9000, name: '松石釉提梁壶', price: 168, key: 'b' },
    { ...common, goodsId: 999999, productId: 999999, number: 1, name: '旧茶壶', price: 20, key: 'c' },
  ]
  await page.addInitScript((kept) => {
    if (!localStorage.getItem('shop.cart')) localStorage.setItem('shop.cart', JSON.stringify(kept))
  }, rows)
  await page.goto('/cart')
  await expect(row(page, '云朵靠垫')).toContainText('比上次看到时贵 ¥10.00')
  await expect(row(page, '松石釉提梁壶').getByRole('alert')).toContainText('仅剩')
  await expect(row(page, '旧茶壶').getByRole('alert')).toContainText('已下架')
  await expect(row(page, '旧茶壶').getByRole('checkbox')).toBeDisabled()
  await shop.settled()
  await shop.picture('cart-guest')
  await row(page, '旧茶壶').getByRole('button', { name: '删除旧茶壶' }).click()
  await expect(row(page, '旧茶壶')).toHaveCount(0)
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(row(page, '旧茶壶')).toBeVisible()
  await page.reload()
  await expect(row(page, '旧茶壶')).toBeVisible()
  await expect(row(page, '云朵靠垫')).not.toContainText('比上次')
})

test('who has no address adds one on the way', async ({ page, shop, isMobile }) => {
  const name = of(11, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  const { list } = await shopper.get<{ list: { id: number }[] }>('/wx/address/list')
  for (const { id } of list) await shopper.post('/wx/address/delete', { id })
  await shopper.put(3)
  await shop.login(name)
  await page.goto('/checkout')
  await page.getByRole('textbox', { name: '订单留言' }).fill('送到前台')
  await submit(page).click()
  const link = page.getByRole('link', { name: '添加收货地址' })
  await expect(link).toBeFocused()
  await expect(page.getByText('请先选择收货地址')).toBeVisible()
  await shop.settled()

  await shopper.post('/wx/address/save', {
    ...{ name: '陈小雨', tel: '13812345678', province: '浙江省', city: '杭州市', county: '西湖区' },
    ...{ areaCode: '330106', addressDetail: '文三路一号', isDefault: false },
  })
  await link.click()
  await expect(page).toHaveURL(/\/account\/addresses\?back=/)
  await page.getByRole('button', { name: '陈小雨 13812345678' }).click()
  await expect(page).toHaveURL(/\/checkout\?address=\d+$/)
  await expect(page.getByRole('link', { name: '更换收货地址' })).toContainText('陈小雨')
  await expect(page.getByRole('textbox', { name: '订单留言' })).toHaveValue('送到前台')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  const [order] = (await shopper.get<{ list: { id: number }[] }>('/wx/order/list?limit=1')).list
  const { orderInfo } = await shopper.get<{ orderInfo: object }>(`/wx/order/detail?orderId=${order?.id}`)
  expect(orderInfo).toMatchObject({ consignee: '陈小雨', message: '送到前台' })
})

test('a cart says what is missing for a better coupon', async ({ page, shop }) => {
  const { username, token } = await newShopper(page)
  const { list } = await ask<{ list: { id: number; name: string }[] }>(page, token, '/wx/coupon/list?limit=100')
  const ten = list.find((c) => c.name === '满减十元券')
  await ask(page, token, '/wx/coupon/receive', { couponId: ten?.id })
  const shopper = await Shopper.begin(username, page.request)
  await shopper.put(3)
  await shop.login(username)
  await page.goto('/cart')
  await expect(page.getByText('再买 ¥40.00，用券可减 ¥10.00')).toBeVisible()
  await shop.settled()
  await row(page, '云朵靠垫').getByRole('button', { name: '增加一件' }).click()
  await expect(page.getByText(/用券可减/)).toHaveCount(0)
})
