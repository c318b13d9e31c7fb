import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from './shop'

export interface Envelope<T> {
  errno: number
  data: T
}

/** A shopper of the demo shop as the service knows them, who begins with an empty cart and no unpaid order. */
export class Shopper {
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
export function of(n: number, isMobile: boolean): string {
  return `demo${(isMobile ? 30 : 45) + n}`
}

/** A row of the cart. */
export const row = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })
export const submit = (page: Page) => page.getByRole('button', { name: '提交订单' })

/** Pays on the sandbox's page and waits until the shop knows it. */
export async function payInSandbox(page: Page): Promise<void> {
  await expect(page.getByText('沙箱', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await expect(page).toHaveURL(/\/wx\/sandbox\/h5\?/)
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await expect(page).toHaveURL(/\/pay\/\d+\/result/)
  await expect(page.getByRole('heading', { name: '支付成功' })).toBeVisible()
}

/** Orders what is in the cart. */
export async function order(shopper: Shopper): Promise<{ id: number }> {
  const { list } = await shopper.get<{ list: { id: number }[] }>('/wx/address/list')
  const body = { cartId: 0, addressId: list[0]?.id, couponId: 0 }
  const { orderId } = await shopper.post<{ orderId: number }>('/wx/order/submit', body)
  return { id: orderId }
}

/** Chooses the first of each specification in the sheet that a group offer opens, where something is to be chosen. */
export async function buyChosen(page: Page, title = '选择规格', go = '发起团购'): Promise<void> {
  const sheet = page.getByRole('dialog', { name: title })
  const checkout = page.waitForURL(/\/checkout\?/)
  await Promise.race([checkout, sheet.getByRole('button', { name: go }).waitFor()])
  if (await sheet.isVisible()) {
    await sheet.getByRole('group').first().waitFor() // the button is there before what is to be chosen
    for (const group of await sheet.getByRole('group').all()) {
      const first = group.getByRole('button').first()
      if ((await first.getAttribute('aria-pressed')) === 'false') await first.click()
    }
    await sheet.getByRole('button', { name: go }).click()
  }
  await checkout
}

/** Logs in with the form. */
export async function login(page: Page, name: string): Promise<void> {
  await page.getByLabel('用户名').fill(name)
  await page.getByLabel('密码', { exact: true }).fill('demo-shop-1')
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** Logs in beside the page, for good until the next login. */
export async function enter(page: Page, name: string): Promise<void> {
  const answer = await page.request.post('/wx/auth/login', { data: { username: name, password: 'demo-shop-1' } })
  const { data } = (await answer.json()) as Envelope<{ token: string; userInfo: object }>
  await page.evaluate(({ token, userInfo }) => {
    localStorage.setItem('shop.token', token)
    localStorage.setItem('shop.user', JSON.stringify(userInfo))
  }, data)
}
