// @vitest-environment node
import { createApi } from '@shop/web/api'
import { afterEach, expect, it, vi } from 'vitest'
import type { paths } from '@/api/schema'

afterEach(() => vi.unstubAllGlobals())

/** What a download leads to that the service answers so, and the requests that it sent. */
async function downloaded(answer: Response) {
  const sent: Request[] = []
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push(request)
    return Promise.resolve(answer)
  })
  const api = createApi<paths>({
    origin: 'http://shop.test',
    tokenHeader: 'X-Shop-Admin-Token',
    token: () => 'secret',
    sessionEnded: () => undefined,
    reached: () => undefined,
  })
  return { ...(await api.download('/admin/order/export', { orderSn: '7' })), sent }
}

it('a file is read with the token, and named as the service names it', async () => {
  const headers = { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="orders.csv"' }
  const { data, sent } = await downloaded(new Response('id\r\n1', { headers }))
  expect(data?.name).toBe('orders.csv')
  expect(await data?.content.text()).toBe('id\r\n1')
  expect(sent[0]?.url).toBe('http://shop.test/admin/order/export?orderSn=7')
  expect(sent[0]?.headers.get('X-Shop-Admin-Token')).toBe('secret')
})

it('a refusal in place of a file is one', async () => {
  const { failure } = await downloaded(Response.json({ errno: 506, errmsg: 'no' }))
  expect(failure).toMatchObject({ kind: 'refused', errno: 506, text: 'no' })
})
