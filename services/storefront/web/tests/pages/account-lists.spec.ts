import { ask, endSession, logIn, newShopper, picture } from '../people'
import { both, expect, test } from '../shop'

test('a code brings a coupon, once', async ({ page, shop }) => {
  const { username } = await newShopper(page)
  await shop.login(username)
  await page.goto('/my/coupons')
  const field = page.getByLabel('兑换码')
  await field.fill('NOCODE99')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription('兑换码不正确')
  await field.fill('shopdemo')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(page.getByText('兑换成功，优惠券已到账')).toBeVisible()
  await expect(page.getByText('口令券').first()).toBeVisible()
  await field.fill('SHOPDEMO')
  await page.getByRole('button', { name: '兑换', exact: true }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await shop.settled()
  await page.getByRole('button', { name: '已使用' }).click()
  await expect(page.getByText('还没有用过优惠券')).toBeVisible()
  await expect(page).toHaveURL(/tab=used/)
})

test('favourites are removed and brought back', async ({ page, shop }) => {
  const { username, token } = await newShopper(page)
  await ask(page, token, '/wx/collect/addordelete', { type: 0, valueId: 1 })
  await ask(page, token, '/wx/collect/addordelete', { type: 1, valueId: 1 })
  await shop.login(username)
  await page.goto('/my/favourites')
  const row = page.getByRole('article').filter({ hasText: '松石釉提梁壶' })
  await expect(row).toBeVisible()
  await shop.settled()
  await row.getByRole('button', { name: /取消收藏/ }).click()
  await expect(page.getByText('还没有收藏商品')).toBeVisible()
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(row).toBeVisible()
  await row.getByRole('link').click()
  await expect(page).toHaveURL(/\/goods\/1$/)
  await page.goBack()
  await page.getByRole('button', { name: '专题' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article').getByRole('link')).toHaveAttribute('href', '/topics/1')
})

test('what was viewed stands by day and goes away', async ({ page, shop }) => {
  const { username, token } = await newShopper(page)
  for (const id of [1, 2, 3]) await ask(page, token, `/wx/goods/detail?id=${id}`)
  await shop.login(username)
  await page.goto('/my/footprints')
  await expect(page.getByRole('heading', { name: '今天' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(3)
  await shop.settled()
  await page.getByRole('button', { name: /删除松石釉提梁壶/ }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: '清空 今天' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空', exact: true }).click()
  await expect(page.getByText('还没有浏览记录')).toBeVisible()
  expect((await ask<{ total: number }>(page, token, '/wx/footprint/list')).total).toBe(0)
})

test('a login that ends in the middle of feedback loses neither text nor pictures', async ({ page, shop }) => {
  const { username, mobile } = await newShopper(page)
  await shop.login(username)
  await page.goto('/my/feedback')
  await page.getByRole('button', { name: '提交反馈' }).click()
  await expect(page.getByText('请选择反馈类型')).toBeVisible()
  await page.getByText('优化建议').click()
  await page.getByLabel('反馈内容').fill('希望有更多颜色可以选。')
  await page.getByLabel('添加图片').setInputFiles(picture)
  await expect(page.getByRole('img', { name: '第 1 张图片' })).toBeVisible()
  await expect(page.getByLabel('手机号', { exact: true })).toHaveValue(mobile)
  await shop.settled()
  await endSession(page)
  await page.getByRole('button', { name: '提交反馈' }).click()
  await expect(page).toHaveURL(/\/login\?back=\/my\/feedback$/)
  await logIn(page, username)
  await expect(page.getByLabel('反馈内容')).toHaveValue('希望有更多颜色可以选。')
  await expect(page.getByRole('img', { name: '第 1 张图片' })).toBeVisible()
  await expect(page.getByLabel('优化建议')).toBeChecked()
  await page.getByRole('button', { name: '提交反馈' }).click()
  await expect(page.getByText('感谢您的反馈')).toBeVisible()
})

test(
  'a group that was opened has its members, the time left and a link to invite',
  both,
  async ({ page, shop, context }) => {
    const { username, token } = await newShopper(page)
    const wx = <T>(path: string, body?: object) => ask<T>(page, token, path, body)
    const { list } = await wx<{ list: { id: number; rulesId: number; grouponMember: number }[] }>('/wx/groupon/list')
    const offer = list[0] ?? { id: 0, rulesId: 0, grouponMember: 0 }
    const { productList } = await wx<{ productList: { id: number; number: number }[] }>(
      `/wx/goods/detail?id=${offer.id}`,
    )
    const productId = productList.find((p) => p.number > 0)?.id
    const region = {
      province: '浙江省',
      city: '杭州市',
      county: '西湖区',
      areaCode: '330106',
      addressDetail: '文三路 9 号',
    }
    const address = { ...region, name: '陈望舒', tel: '13812345678', isDefault: true }
    const addressId = await wx<number>('/wx/address/save', address)
    const cartId = await wx<number>('/wx/cart/fastadd', { goodsId: offer.id, productId, number: 1 })
    const order = { cartId, addressId, couponId: 0, grouponRulesId: offer.rulesId }
    const { orderId, grouponLinkId } = await wx<{ orderId: number; grouponLinkId: number }>('/wx/order/submit', order)
    await wx('/wx/order/prepay', { orderId })
    await expect.poll(async () => (await wx<{ total: number }>('/wx/groupon/my?showType=0')).total).toBe(1)

    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await shop.login(username)
    await page.goto('/my/groups')
    const card = page.getByRole('article')
    await expect(card).toContainText('拼团中')
    await expect(card).toContainText(`还差 ${offer.grouponMember - 1} 人成团`)
    await expect(card.getByRole('timer')).toBeVisible()
    await shop.settled()
    await card.getByRole('link').first().click()
    await expect(page.getByText('团长')).toBeVisible()
    await expect(page.getByText('待加入')).toHaveCount(offer.grouponMember - 1)
    await page.getByRole('button', { name: '复制邀请链接' }).click()
    await expect(page.getByText('链接已复制')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`^一起来团购.+吧 http.+/groups/${grouponLinkId}$`),
    )
    await shop.settled()
    await shop.picture('my-group-open')
    await page.goto('/my/groups?tab=joined')
    await expect(page.getByText('还没有参加过团购')).toBeVisible()
  },
)
