import { expect, type APIRequestContext } from '@playwright/test'

const staffURL = process.env.ADMIN_URL ?? 'http://127.0.0.1:8081'
const password = 'demo-shop-1'

interface Envelope {
  errno: number
  errmsg: string
  data: never
}
type Call = <T>(method: 'get' | 'post', path: string, value?: object) => Promise<T>

function caller(request: APIRequestContext, base: string, headers: Record<string, string>): Call {
  return async <T>(method: 'get' | 'post', path: string, value: object = {}) => {
    const answer =
      method === 'get'
        ? await request.get(base + path, { headers, params: { ...value } })
        : await request.post(base + path, { headers, data: value })
    const { errno, errmsg, data } = (await answer.json()) as Envelope
    expect(`${errno} ${errmsg}`, path).toMatch(/^0 /)
    return data as T
  }
}

/** A shopper who buys without the pages, so that a test begins with an order in the state that it is about. */
export async function buyer(request: APIRequestContext, username: string) {
  const { token } = await caller(request, '', {})<{ token: string }>('post', '/wx/auth/login', { username, password })
  const wx = caller(request, '', { 'X-Shop-Token': token })
  const status = async (orderId: number) => {
    const { orderInfo } = await wx<{ orderInfo: { orderStatus: number } }>('get', '/wx/order/detail', { orderId })
    return orderInfo.orderStatus
  }

  /** Places an order for a piece of each of the goods, and returns its number. */
  async function unpaid(...goods: number[]): Promise<number> {
    const [first = 5, ...others] = goods
    const { list } = await wx<{ list: { id: number }[] }>('get', '/wx/address/list')
    const addressId = list[0]?.id
    const row = async (goodsId: number, path: string) => {
      const { productList } = await wx<{ productList: { id: number; number: number }[] }>('get', '/wx/goods/detail', {
        id: goodsId,
      })
      const productId = productList.find((p) => p.number > 0)?.id
      return wx<number>('post', path, { goodsId, productId, number: 1 })
    }
    if (others.length === 0) {
      const cartId = await row(first, '/wx/cart/fastadd')
      return (await wx<{ orderId: number }>('post', '/wx/order/submit', { cartId, addressId, couponId: 0 })).orderId
    }
    for (const id of goods) await row(id, '/wx/cart/add')
    return (await wx<{ orderId: number }>('post', '/wx/order/submit', { cartId: 0, addressId, couponId: 0 })).orderId
  }

  async function paid(...goods: number[]): Promise<number> {
    const orderId = await unpaid(...goods)
    await wx('post', '/wx/order/prepay', { orderId })
    await expect.poll(() => status(orderId), { message: 'the sandbox pays', timeout: 20_000 }).toBe(201)
    return orderId
  }

  async function shipped(...goods: number[]): Promise<number> {
    const orderId = await paid(...goods)
    const staff = await clerk(request)
    await staff('post', '/admin/order/ship', { orderId, shipChannel: 'ZTO', shipSn: `753${orderId}` })
    return orderId
  }

  async function received(...goods: number[]): Promise<number> {
    const orderId = await shipped(...goods)
    await wx('post', '/wx/order/confirm', { orderId })
    return orderId
  }
  return { wx, unpaid, paid, shipped, received }
}

/** An operator of the demo shop, the order clerk where none is named. */
export async function clerk(request: APIRequestContext, username = 'clerk'): Promise<Call> {
  const answer = await caller(request, staffURL, {})<{ token: string }>('post', '/admin/auth/login', {
    username,
    password,
  })
  return caller(request, staffURL, { 'X-Shop-Admin-Token': answer.token })
}
