import { expect, type APIRequestContext } from '@playwright/test'
import { ask, password, tokenOf } from './operators'

/** The address of the shop's page. */
export const shopAddress = process.env.STOREFRONT_URL ?? 'http://127.0.0.1:8080'

interface Envelope<T> {
  errno: number
  errmsg: string
  data: T
}

/** A shopper of the demo shop who buys without a page, so that a story begins with an order in the state it is about. */
export async function buyer(request: APIRequestContext, username: string) {
  let token = ''
  async function wx<T>(path: string, body?: object): Promise<T> {
    const headers = { 'X-Shop-Token': token }
    const answer = body
      ? await request.post(shopAddress + path, { headers, data: body })
      : await request.get(shopAddress + path, { headers })
    const { errno, errmsg, data } = (await answer.json()) as Envelope<T>
    expect(errno, `${path}: ${errmsg}`).toBe(0)
    return data
  }
  token = (await wx<{ token: string }>('/wx/auth/login', { username, password })).token
  const order = async (orderId: number) =>
    (await wx<{ orderInfo: Record<string, unknown> }>(`/wx/order/detail?orderId=${orderId}`)).orderInfo

  /** An order of one piece of goods, by its id and its number. More says what else is chosen. */
  async function unpaid(goodsId = 5, more: object = {}): Promise<{ id: number; sn: string }> {
    const address = await wx<{ list: { id: number }[] }>('/wx/address/list')
    const goods = await wx<{ productList: { id: number; number: number }[] }>(`/wx/goods/detail?id=${goodsId}`)
    const productId = goods.productList.find((product) => product.number > 0)?.id
    const cartId = await wx<number>('/wx/cart/fastadd', { goodsId, productId, number: 1 })
    const submission = { cartId, addressId: address.list[0]?.id, couponId: 0, ...more }
    const { orderId } = await wx<{ orderId: number }>('/wx/order/submit', submission)
    return { id: orderId, sn: String((await order(orderId)).orderSn) }
  }

  /** A paid order. */
  async function paid(goodsId?: number, more?: object): Promise<{ id: number; sn: string }> {
    const made = await unpaid(goodsId, more)
    await wx('/wx/order/prepay', { orderId: made.id })
    await expect.poll(async () => (await order(made.id)).orderStatus, { timeout: 20_000 }).toBe(201)
    return made
  }

  /** A received order. */
  async function received(): Promise<{ id: number; sn: string }> {
    const made = await paid()
    const parcel = { orderId: made.id, shipChannel: 'ZTO', shipSn: `753${made.id}` }
    await ask(request, await tokenOf(request, 'super'), '/admin/order/ship', parcel)
    await wx('/wx/order/confirm', { orderId: made.id })
    return made
  }
  return { token: () => token, wx, order, unpaid, paid, received }
}
