import { createApi } from '@shop/web/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { paths } from '@/api/schema'

function over(fetched: () => Promise<Response>) {
  const spy = vi.fn(fetched)
  vi.stubGlobal('fetch', spy)
  const api = createApi<paths>({
    tokenHeader: 'X-Shop-Token',
    token: () => '',
    sessionEnded: () => undefined,
    reached: () => undefined,
    origin: 'http://shop.test',
  })
  const sent = (n: number) => (spy.mock.calls as unknown as [Request][])[n]?.[0]
  return { api, spy, sent }
}

const busy = () => new Response('{"errno":502,"errmsg":"busy"}', { status: 503, headers: { 'Retry-After': '1' } })
const done = () =>
  new Response('{"errno":0,"errmsg":"ok","data":{}}', { headers: { 'Content-Type': 'application/json' } })

describe('a service that is busy', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is asked again, also to change something, since it has done nothing', async () => {
    const answers = [busy(), busy(), done()]
    const { api, spy, sent } = over(() => Promise.resolve(answers.shift() ?? busy()))
    const answer = api.post('/wx/cart/checked', { productIds: [1], isChecked: 1 }, { key: 'k' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await answer).failure).toBeUndefined()
    expect(spy).toHaveBeenCalledTimes(3)
    expect(sent(2)?.headers.get('Idempotency-Key')).toBe('k')
  })

  it('is given up after a while', async () => {
    const { api, spy } = over(() => Promise.resolve(busy()))
    const answer = api.get('/wx/home/index')
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await answer).failure).toMatchObject({ kind: 'busy', errno: 502 })
    expect(spy).toHaveBeenCalledTimes(4)
  })

  it('is not asked again by a page that was left', async () => {
    const { api, spy } = over(() => Promise.resolve(busy()))
    const control = new AbortController()
    const answer = api.get('/wx/home/index', undefined, { signal: control.signal })
    await vi.advanceTimersByTimeAsync(100)
    control.abort()
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await answer).failure?.kind).toBe('cancelled')
    expect(spy).toHaveBeenCalledTimes(1)
  })
})
