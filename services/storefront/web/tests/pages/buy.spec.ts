import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from '../shop'

// Each test has a shopper of its own in either viewport, who begins with an empty cart and no unpaid order.

interface Envelope<T> {
  errno: number
  data: T
}

/** A shopper of the demo shop as the service knows them. */
class Shopper {
  private constructor(
    readonly name: string,
    private readonly request: APIRequestContext,
    private readonly token: string,
  ) {}

  static async begin(name: string, request: APIRequestContext): Promise<Shopper> {
    const answer = await request.post('/wx/auth/login', { data: { username: name, password: 'demo-shop-1' } })
    const { data } = (await answer.json()) as Envelope<{ token: string }>
    const shopper = new Shopper(name, request, data.token)
    const { cartList } = await shopper.get<{ cartList: { productId: number }[] }>('/wx/cart/index')
    if (cartList.length) await shopper.post('/wx/cart/delete', { productIds: cartList.map((r) => r.productId) })
    const unpaid = await shopper.get<{ list: { id: number }[] }>('/wx/order/list?showType=1&limit=100')
    for (const { id } of unpaid.list) await shopper.post('/wx/order/cancel', { orderId: id })
    return shopper
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.request.get(path, { headers: { 'X-Shop-Token': this.token } })
    return ((await answer.json()) as Envelope<T>).data
  }

  async post<T>(path: string, data: object = {}): Promise<T> {
    const answer = await this.request.post(path, { headers: { 'X-Shop-Token': this.token }, data })
    return ((await answer.json()) as Envelope<T>).data
  }

  /** Puts goods of which there is one product into the cart. */
  async put(...goods: number[]): Promise<void> {
    for (const goodsId of goods) {
      const { productList } = await this.get<{ productList: { id: number }[] }>(`/wx/goods/detail?id=${goodsId}`)
      await this.post('/wx/cart/add', { goodsId, productId: productList[0]?.id, number: 1 })
    }
  }

  async orders(): Promise<number> {
    return (await this.get<{ total: number }>('/wx/order/list?limit=1')).total
  }
}

/** The shopper of a test: one for each viewport. */
function of(n: number, isMobile: boolean): string {
  return `demo${(isMobile ? 30 : 45) + n}`
}

const row = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })
const submit = (page: Page) => page.getByRole('button', { name: '提交订单' })

/** Pays on the sandbox's page and waits until the shop knows it. */
async function payInSandbox(page: Page): Promise<void> {
  await expect(page.getByText('沙箱', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await expect(page).toHaveURL(/\/wx\/sandbox\/h5\?/)
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await expect(page).toHaveURL(/\/pay\/\d+\/result/)
  await expect(page.getByRole('heading', { name: '支付成功' })).toBeVisible()
}

test('goods are bought from their page to the paid result', async ({ page, shop, isMobile }) => {
  const name = of(0, isMobile)
  await Shopper.begin(name, page.request)
  await shop.login(name)
  await page.goto('/goods/1?product=1')
  await shop.settled()
  await page.getByRole('button', { name: '加入购物车' }).click()
  await page.getByRole('button', { name: '去购物车' }).click()
  await expect(page).toHaveURL(/\/cart$/)
  await shop.settled()
  await page.getByRole('button', { name: '去结算 (1)' }).click()
  await shop.settled()
  await page.getByRole('textbox', { name: '订单留言' }).fill('请放在门口')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  await shop.settled()
  await payInSandbox(page)
  await shop.settled()
})

test('a lost answer of the submission makes one order', async ({ page, shop, isMobile }) => {
  const name = of(1, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  const before = await shopper.orders()
  await shop.login(name)
  await page.goto('/checkout')
  shop.mayFail('/wx/order/submit')
  await page.route(
    '**/wx/order/submit',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('不会重复下单')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  expect(await shopper.orders()).toBe(before + 1)
})

test('a double tap makes one order', async ({ page, shop, isMobile }) => {
  const name = of(2, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  const before = await shopper.orders()
  await shop.login(name)
  let sent = 0
  page.on('request', (request) => (sent += request.url().endsWith('/wx/order/submit') ? 1 : 0))
  await page.goto('/checkout')
  await submit(page).dblclick()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  expect(sent).toBe(1)
  expect(await shopper.orders()).toBe(before + 1)
})

test('rows are changed, ticked, removed and put back', async ({ page, shop, isMobile }) => {
  const name = of(3, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3, 12, 57)
  await shop.login(name)
  await page.addInitScript(() => localStorage.setItem('shop.prices', JSON.stringify({ 6: 63 })))
  await page.goto('/cart')
  await shop.settled()
  await expect(row(page, '云朵靠垫')).toContainText('比上次看到时便宜 ¥4')
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
  await expect(row(page, '少年科学四册').getByRole('alert')).toContainText('库存不足')
  await expect(pieces).toHaveValue('1')
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

test('coupons are chosen, and those that do not fit say why', async ({ page, shop, isMobile }) => {
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
  await expect(dialog.getByText('还差 ¥31 可用').first()).toBeVisible()
  await shop.settled()
  await shop.picture('coupons')
  await dialog.getByRole('button', { name: '不使用优惠券' }).click()
  await expect(page.getByRole('button', { name: /^优惠券.*张可用/ })).toBeVisible()
  await page.getByRole('button', { name: /^优惠券/ }).click()
  await dialog.getByRole('button', { name: '无门槛三元券' }).click()
  await expect(page.getByRole('button', { name: /^优惠券.*−¥3\.00/ })).toBeVisible()
})

test('two shoppers buy as a group', async ({ page, shop, isMobile, browser, baseURL }) => {
  const opener = of(6, isMobile)
  const joiner = of(7, isMobile)
  await Shopper.begin(opener, page.request)
  await shop.login(opener)
  await page.goto('/goods/19')
  await page.getByRole('button', { name: '发起团购' }).first().click()
  await buyChosen(page)
  await expect(page.getByText('发起团购，付款后可邀请好友')).toBeVisible()
  await shop.settled()
  await submit(page).click()
  await payInSandbox(page)
  await shop.settled()
  const group = new URL(page.url()).searchParams.get('group')
  expect(group).toMatch(/^\d+$/)
  await expect(page.getByText('还差 1 人成团')).toBeVisible()
  await expect(page.getByRole('button', { name: '邀请好友' })).toBeVisible()

  const context = await browser.newContext({ baseURL, locale: 'zh-CN', isMobile, viewport: page.viewportSize() })
  const other = await context.newPage()
  const friend = await Shopper.begin(joiner, other.request)
  await other.goto('/')
  await enter(other, joiner)
  await other.goto(`/groups/${group}`)
  await other.getByRole('button', { name: '参加团购' }).click()
  await buyChosen(other, '参加团购', '选好了，去结算')
  await expect(other.getByText('加入好友的团购')).toBeVisible()
  await submit(other).click()
  await payInSandbox(other)
  await expect(other.getByText('团购成功')).toBeVisible()
  const { joiners } = await friend.get<{ joiners: unknown[] }>(`/wx/groupon/detail?grouponId=${group}`)
  expect(joiners).toHaveLength(2)

  // Who comes too late hears so and can buy alone.
  await other.goto(`/goods/19?link=${group}`)
  await other.getByRole('button', { name: '发起团购' }).first().click()
  await buyChosen(other)
  await submit(other).click()
  await expect(other.getByRole('alert')).toBeVisible()
  await other.getByRole('button', { name: '单独购买' }).click()
  await expect(other.getByText('加入好友的团购')).toHaveCount(0)
  await submit(other).click()
  await expect(other).toHaveURL(/\/pay\/\d+$/)
  await context.close()
})

test('a checkout goes on when the service is back', async ({ page, shop, isMobile }) => {
  const name = of(8, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  await shop.login(name)
  shop.mayFail('/wx/')
  await page.route('**/wx/**', (route) => route.abort())
  await page.goto('/checkout')
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/**')
  await page.getByRole('button', { name: '再试一次' }).click()
  await page.getByRole('textbox', { name: '订单留言' }).fill('服务恢复后再送')
  await page.route('**/wx/**', (route) => route.abort())
  await submit(page).click()
  await expect(page.getByRole('alert')).toContainText('暂时连不上商城')
  await page.unroute('**/wx/**')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
})

test('a login that ends in the middle of the checkout keeps what was typed', async ({ page, isMobile }) => {
  const name = of(9, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  await page.goto('/')
  await enter(page, name)
  await page.goto('/checkout')
  await page.getByRole('textbox', { name: '订单留言' }).fill('周末送货')
  const token = (await page.evaluate(() => localStorage.getItem('shop.token'))) ?? ''
  await page.request.post('/wx/auth/logout', { headers: { 'X-Shop-Token': token } })
  await submit(page).click()
  await expect(page).toHaveURL(/\/login\?back=/)
  await login(page, name)
  await expect(page).toHaveURL(/\/checkout/)
  await expect(page.getByRole('textbox', { name: '订单留言' })).toHaveValue('周末送货')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
})

test('a declined payment can be made later', async ({ page, shop, isMobile }) => {
  const name = of(10, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  await shopper.put(3)
  await shop.login(name)
  await page.goto('/checkout')
  await submit(page).click()
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await page.getByRole('button', { name: '不支付' }).click()
  await expect(page.getByRole('heading', { name: '正在等待支付结果' })).toBeVisible()
  await shop.settled()
  await page.getByRole('link', { name: '继续支付' }).click()
  await payInSandbox(page)
})

test('another address is chosen on the way', async ({ page, shop, isMobile }) => {
  const name = of(0, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  const { list } = await shopper.get<{ list: { id: number; isDefault: boolean }[] }>('/wx/address/list')
  for (const { id, isDefault } of list) if (!isDefault) await shopper.post('/wx/address/delete', { id })
  await shopper.post('/wx/address/save', {
    ...{ name: '陈小雨', tel: '13812345678', province: '浙江省', city: '杭州市', county: '西湖区' },
    ...{ areaCode: '330106', addressDetail: '文三路一号', isDefault: false },
  })
  await shopper.put(3)
  await shop.login(name)
  await page.goto('/checkout')
  await page.getByRole('textbox', { name: '订单留言' }).fill('送到前台')
  await page.getByRole('link', { name: '更换收货地址' }).click()
  await expect(page).toHaveURL(/\/account\/addresses\?back=/)
  await page.getByRole('button', { name: '陈小雨 13812345678' }).click()
  await expect(page).toHaveURL(/\/checkout\?address=\d+$/)
  await expect(page.getByRole('link', { name: '更换收货地址' })).toContainText('陈小雨')
  await expect(page.getByRole('textbox', { name: '订单留言' })).toHaveValue('送到前台')
  await submit(page).click()
  await expect(page).toHaveURL(/\/pay\/\d+$/)
  const [order] = (await shopper.get<{ list: { id: number }[] }>('/wx/order/list?limit=1')).list
  const { orderInfo } = await shopper.get<{ orderInfo: { consignee: string; message: string } }>(
    `/wx/order/detail?orderId=${order?.id}`,
  )
  expect(orderInfo).toMatchObject({ consignee: '陈小雨', message: '送到前台' })
})

test('a guest is told what has changed, and removes and puts back', async ({ page, shop }) => {
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
  await expect(row(page, '云朵靠垫')).toContainText('比上次看到时贵 ¥10')
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

test('an order without an address asks for one', async ({ page, shop, isMobile }) => {
  const name = of(11, isMobile)
  const shopper = await Shopper.begin(name, page.request)
  const { list } = await shopper.get<{ list: { id: number }[] }>('/wx/address/list')
  for (const { id } of list) await shopper.post('/wx/address/delete', { id })
  await shopper.put(3)
  await shop.login(name)
  await page.goto('/checkout')
  await submit(page).click()
  await expect(page.getByRole('link', { name: '添加收货地址' })).toBeFocused()
  await expect(page.getByText('请先选择收货地址')).toBeVisible()
  await shop.settled()
})

for (const look of ['zh', 'en', 'dark'] as const) {
  test.describe(`screens ${look}`, () => {
    test.use({ locale: look === 'en' ? 'en-US' : 'zh-CN', colorScheme: look === 'dark' ? 'dark' : 'light' })
    test('look right', async ({ page, shop, isMobile }) => {
      const name = of(['zh', 'en', 'dark'].indexOf(look) + 12, isMobile)
      const shopper = await Shopper.begin(name, page.request)
      await shopper.put(3, 1, 57)
      await shop.login(name)
      await page.goto('/cart')
      await shop.settled()
      await shop.picture(`cart-full-${look}`)
      await page.goto('/checkout')
      await shop.settled()
      await shop.picture(`checkout-${look}`)
      const { id } = await order(shopper)
      await page.goto(`/pay/${id}`)
      await shop.settled()
      await shop.picture(`pay-${look}`)
      await shopper.post('/wx/order/prepay', { orderId: id })
      await page.goto(`/pay/${id}/result?group=1`)
      await expect(page.locator('main h2')).toHaveText(look === 'en' ? 'Paid' : '支付成功')
      await shop.settled()
      await shop.picture(`paid-${look}`)
    })
  })
}

async function order(shopper: Shopper): Promise<{ id: number }> {
  const { list } = await shopper.get<{ list: { id: number }[] }>('/wx/address/list')
  const body = { cartId: 0, addressId: list[0]?.id, couponId: 0 }
  const { orderId } = await shopper.post<{ orderId: number }>('/wx/order/submit', body)
  return { id: orderId }
}

/** Chooses the first of each specification in the sheet that a group offer opens, where something is to be chosen. */
async function buyChosen(page: Page, title = '选择规格', go = '发起团购'): Promise<void> {
  const sheet = page.getByRole('dialog', { name: title })
  const checkout = page.waitForURL(/\/checkout\?/)
  await Promise.race([checkout, sheet.getByRole('button', { name: go }).waitFor()])
  if (await sheet.isVisible()) {
    for (const group of await sheet.getByRole('group').all()) {
      const first = group.getByRole('button').first()
      if ((await first.getAttribute('aria-pressed')) === 'false') await first.click()
    }
    await sheet.getByRole('button', { name: go }).click()
  }
  await checkout
}

/** Logs in with the form. */
async function login(page: Page, name: string): Promise<void> {
  await page.getByLabel('用户名').fill(name)
  await page.getByLabel('密码', { exact: true }).fill('demo-shop-1')
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** Logs in beside the page, for good until the next login. */
async function enter(page: Page, name: string): Promise<void> {
  const answer = await page.request.post('/wx/auth/login', { data: { username: name, password: 'demo-shop-1' } })
  const { data } = (await answer.json()) as Envelope<{ token: string; userInfo: object }>
  await page.evaluate(({ token, userInfo }) => {
    localStorage.setItem('shop.token', token)
    localStorage.setItem('shop.user', JSON.stringify(userInfo))
  }, data)
}
