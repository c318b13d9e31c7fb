import type { Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { buyer, clerk } from '../orders'
import { both, expect, test } from '../shop'

const picture = fileURLToPath(new URL('../../public/icons/shop-192.png', import.meta.url))

const name = (n: number, wide: boolean) => `demo${60 + 2 * n + (wide ? 1 : 0)}`
const state = (page: Page) => page.locator('main h2').first()
const dialog = (page: Page) => page.getByRole('dialog')

test('an order that is not paid is cancelled, and then deleted', async ({ page, shop, isMobile }) => {
  const me = name(0, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).unpaid()
  await page.goto('/orders?tab=1')
  await shop.settled()
  const card = page.locator(`article:has(a[href="/orders/${id}"])`)
  await expect(card.getByRole('link', { name: '去付款' })).toHaveAttribute('href', `/pay/${id}`)
  await card.locator(`a[href="/orders/${id}"]`).click()
  await expect(state(page)).toHaveText('未付款')
  await shop.settled()
  await page.getByRole('button', { name: '取消订单' }).click()
  await dialog(page).getByRole('button', { name: '取消', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('button', { name: '取消订单' }).click()
  await dialog(page).getByRole('button', { name: '取消订单' }).click()
  await expect(state(page)).toHaveText('已取消')
  await expect(state(page)).toBeFocused()
  await expect(page.getByRole('link', { name: '去付款' })).toHaveCount(0)
  await page.getByRole('button', { name: '删除订单' }).click()
  await dialog(page).getByRole('button', { name: '删除订单' }).click()
  await expect(page).toHaveURL(/\/orders\?tab=1$/)
  await expect(page.locator(`a[href="/orders/${id}"]`)).toHaveCount(0)
})

test('an order that waits is sent elsewhere, and the shop reminded once', async ({ page, shop, isMobile }) => {
  const me = name(1, !isMobile)
  await shop.login(me)
  const { wx, paid } = await buyer(page.request, me)
  const { list } = await wx<{ list: { id: number }[] }>('get', '/wx/address/list')
  const home = await wx<object>('get', '/wx/address/detail', { id: list[0]?.id })
  await wx('post', '/wx/address/save', { ...home, id: 0, name: '外婆', addressDetail: '后街 2 号', isDefault: false })
  const id = await paid()
  await page.goto(`/orders/${id}`)
  await shop.settled()
  await page.getByRole('link', { name: '修改' }).click()
  await page.getByRole('button', { name: '外婆' }).first().click()
  await dialog(page).getByRole('button', { name: '修改地址' }).click()
  await expect(page.getByText('收货地址已修改')).toBeVisible()
  await expect(page.locator('main')).toContainText('后街 2 号')
  await expect(page).toHaveURL(new RegExp(`/orders/${id}$`))
  await page.getByRole('button', { name: '提醒发货' }).click()
  await expect(page.getByText('已提醒商家尽快发货')).toBeVisible()
  await page.getByRole('button', { name: '提醒发货' }).click()
  await expect(page.getByText('今天已经提醒过商家发货')).toBeVisible()
  const staff = await clerk(page.request)
  const { list: rows } = await staff<{ list: { id: number; remindTime: string | null }[] }>(
    'get',
    '/admin/order/list',
    {
      orderStatusArray: 201,
    },
  )
  expect(rows.find((row) => row.id === id)?.remindTime).toBeTruthy()
})

test('a paid order waits for the shop, and its money is asked back', async ({ page, shop, isMobile }) => {
  const me = name(1, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).paid()
  await page.goto('/orders?tab=2')
  const card = page.locator(`article:has(a[href="/orders/${id}"])`)
  await card.getByRole('button', { name: '申请退款' }).click()
  await dialog(page).getByRole('button', { name: '申请退款' }).click()
  await expect(card).toHaveCount(0)
  await page.goto(`/orders/${id}`)
  await expect(state(page)).toContainText('退款中')
  await expect(page.getByText('退款处理中')).toBeVisible()
  await shop.settled()
  const staff = await clerk(page.request)
  const { data } = await detail(page, id)
  await staff('post', '/admin/order/refund', { orderId: id, refundMoney: data.orderInfo.actualPrice })
  await page.reload()
  await expect(state(page)).toHaveText('已退款')
})

test('a shipped order shows its parcel, and is confirmed', both, async ({ page, shop, isMobile }) => {
  const me = name(2, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).shipped()
  await page.goto(`/orders/${id}`)
  await expect(state(page)).toHaveText('已发货')
  await expect(page.getByText('中通')).toBeVisible()
  await expect(page.getByText(`753${id}`)).toBeVisible()
  await shop.settled()
  await shop.picture('order-shipped')
  await page.getByRole('button', { name: '确认收货' }).click()
  await dialog(page).getByRole('button', { name: '确认收货' }).click()
  await expect(state(page)).toHaveText('已收货')
  await expect(page.getByRole('link', { name: '申请售后' })).toBeVisible()
})

test('a line is reviewed with stars and a picture', async ({ page, shop, isMobile }) => {
  const me = name(3, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).received(5, 8)
  await page.goto(`/orders/${id}`)
  await page.locator('#lines').getByRole('link', { name: /^评价/ }).first().click()
  await expect(page.getByRole('button', { name: '发表评价' })).toBeVisible()
  await page.getByRole('button', { name: '发表评价' }).click()
  await expect(page.getByText('请选择评分')).toBeVisible()
  await expect(page.getByRole('radio').first()).toBeFocused()
  await page.getByRole('radio', { name: '5 星，' }).check({ force: true })
  await page.getByRole('button', { name: '发表评价' }).click()
  await expect(page.getByLabel('评价内容')).toBeFocused()
  await expect(page.getByLabel('评价内容')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('评价内容').fill('釉色温润，手感很好。')
  await page.locator('input[type=file]').setInputFiles(picture)
  await expect(page.getByRole('img', { name: '第 1 张图片' })).toBeVisible()
  await shop.settled()
  await page.getByRole('button', { name: '发表评价' }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${id}$`))
  await expect(page.locator('#lines').getByText('已评价')).toBeVisible()
  await expect(page.locator('#lines').getByRole('link', { name: /^评价/ })).toHaveCount(1)
})

test('a review that a lost login interrupts keeps its text', async ({ page, shop, isMobile }) => {
  const me = name(4, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).received()
  const { data } = await detail(page, id)
  await page.goto(`/orders/${id}/review/${data.orderGoods[0]?.id}`)
  await page.getByRole('radio', { name: '4 星，' }).check({ force: true })
  await page.getByLabel('评价内容').fill('写到一半')
  await page.request.post('/wx/auth/logout', { headers: { 'X-Shop-Token': await tokenOf(page) } })
  await page.getByRole('button', { name: '发表评价' }).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  await page.getByLabel('用户名或手机号').fill(me)
  await page.getByLabel('密码', { exact: true }).fill('demo-shop-1')
  await page.locator('main').getByRole('button', { name: '登录' }).click()
  await expect(page.getByLabel('评价内容')).toHaveValue('写到一半')
  await expect(page.getByRole('radio', { name: '4 星，' })).toBeChecked()
  await page.getByRole('button', { name: '发表评价' }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${id}$`))
})

test('what was bought is bought again', async ({ page, shop, isMobile }) => {
  const me = name(7, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).received()
  await page.goto('/orders')
  await page.locator(`article:has(a[href="/orders/${id}"])`).getByRole('button', { name: '再次购买' }).click()
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.locator('main').getByText('亚麻遮阳帽').first()).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/orders$/)
})

test('a cancellation whose answer is lost is asked for again and done once', async ({ page, shop, isMobile }) => {
  const me = name(9, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).unpaid()
  await page.goto(`/orders/${id}`)
  const cancel = async () => {
    await page.getByRole('button', { name: '取消订单' }).click()
    await dialog(page).getByRole('button', { name: '取消订单' }).click()
  }
  const keys: (string | undefined)[] = []
  shop.mayFail('/wx/order/cancel')
  await page.route('**/wx/order/cancel', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await cancel()
  await expect(page.getByText('暂时连不上商城')).toBeVisible()
  await cancel()
  await expect(state(page)).toHaveText('已取消')
  expect(keys).toEqual([keys[0], keys[0]])
})

test('the way of a parcel is shown, the latest first', both, async ({ page, shop, isMobile }) => {
  const me = name(13, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).shipped()
  // The demo shop asks no carrier.
  const Traces = [
    { AcceptTime: '2030-01-02 08:00:00', AcceptStation: '【上海市】快件已由上海浦东营业部揽收' },
    { AcceptTime: '2030-01-03 21:30:00', AcceptStation: '【杭州市】快件已到达杭州转运中心' },
    { AcceptTime: '2030-01-04 09:10:00', AcceptStation: '【杭州市】快递员正在派送，请保持电话畅通' },
  ]
  await page.route('**/wx/express/query', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: object }
    await route.fulfill({ json: { ...answer, data: { ...answer.data, Traces } } })
  })
  await page.goto(`/orders/${id}`)
  const stations = page.locator('ol').first().getByRole('listitem')
  await expect(stations).toHaveCount(2)
  await expect(stations.first()).toContainText('正在派送')
  await page.getByRole('button', { name: '查看全部动态' }).click()
  await expect(stations).toHaveCount(3)
  await shop.settled()
  await shop.picture('order-parcel')
})

test('tabs are no steps of the way back, and the way back leads to the same tab', async ({ page, shop, isMobile }) => {
  const me = name(8, !isMobile)
  await shop.login(me)
  const id = await (await buyer(page.request, me)).unpaid()
  await page.goto('/')
  await page.goto('/orders')
  await expect(page.getByRole('button', { name: /^待付款/ })).toContainText(/\d/)
  await page.getByRole('button', { name: '待发货' }).click()
  await expect(page.locator(`a[href="/orders/${id}"]`)).toHaveCount(0)
  await page.getByRole('button', { name: /^待付款/ }).click()
  await expect(page).toHaveURL(/\/orders\?tab=1$/)
  await page.locator(`article > a[href="/orders/${id}"]`).click()
  await expect(state(page)).toHaveText('未付款')
  await page.getByRole('button', { name: '取消订单' }).click()
  await dialog(page).getByRole('button', { name: '取消订单' }).click()
  await expect(state(page)).toHaveText('已取消')
  await page.goBack()
  await expect(page.getByRole('button', { name: /^待付款/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator(`a[href="/orders/${id}"]`)).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/$/)
})

test('an order that is not there says so, and one that could not be read is read again', async ({ page, shop }) => {
  await shop.login('demo79')
  await page.goto('/orders/999999999')
  await expect(page.getByRole('alert')).toBeVisible()
  await shop.settled()
  shop.mayFail('/wx/order/list')
  await page.route('**/wx/order/list*', (route) => route.abort())
  await page.goto('/orders')
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/order/list*')
  await page.getByRole('button', { name: '再试一次' }).click()
  await expect(page.locator('article').or(page.getByText('还没有订单')).first()).toBeVisible()
})

test('an order and what follows it look right', both, async ({ page, shop, isMobile }) => {
  const me = name(10, !isMobile)
  await shop.login(me)
  const shopper = await buyer(page.request, me)
  const id = await shopper.received(1, 5)
  const { data } = await detail(page, id)
  const show = async (what: string, path: string) => {
    await page.goto(path)
    await shop.looksRight(what)
  }
  await show('orders', '/orders')
  await show('order', `/orders/${id}`)
  await show('order-review', `/orders/${id}/review/${data.orderGoods[0]?.id}`)
  await show('case', `/after-sale/${id}`)
  const pictures = data.orderGoods.map((line) => line.picUrl)
  const reason = '壶盖有一处小磕碰，想退回重买'
  await shopper.wx('post', '/wx/aftersale/submit', { orderId: id, type: 2, reason, amount: 20, comment: '', pictures })
  await show('case-open', `/after-sale/${id}`)
  await show('cases', '/after-sale')
})

interface Detail {
  data: { orderInfo: { actualPrice: number }; orderGoods: { id: number; picUrl: string }[] }
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('shop.token') ?? '')

/** The order as the service tells it to the page's own login. */
async function detail(page: Page, orderId: number): Promise<Detail> {
  if (page.url() === 'about:blank') await page.goto('/orders')
  const headers = { 'X-Shop-Token': await tokenOf(page) }
  const answer = await page.request.get('/wx/order/detail', { params: { orderId }, headers })
  return (await answer.json()) as Detail
}
