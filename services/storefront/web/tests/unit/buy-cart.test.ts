import { failed } from '@shop/web/answer'
import { createPinia, setActivePinia } from 'pinia'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { shownPrices } from '@/composables/prices'
import { ready } from '@/i18n'
import { useCart } from '@/stores/cart'
import { useToasts } from '@shop/web/toasts'

const post = vi.hoisted(() => vi.fn())
vi.mock('@/api', async () => {
  const { ref } = await import('vue')
  return { token: ref('a-token'), api: { post, get: () => Promise.resolve({ data: 3 }) } }
})

function row(productId: number, checked = true) {
  const shown = { name: `goods ${productId}`, picUrl: '', price: 10, specifications: [] }
  return { ...shown, goodsId: productId, productId, number: 1, checked, key: `key-${productId}` }
}

beforeAll(() => ready)
beforeEach(() => {
  localStorage.clear()
  setActivePinia(createPinia())
})

it('moves the rows of a guest with their keys, the oldest first, and unticks what was not ticked', async () => {
  localStorage.setItem('shop.cart', JSON.stringify([row(2, false), row(1)]))
  post.mockReset().mockResolvedValue({ data: 3 })
  const cart = useCart()
  await cart.settle()
  expect(
    post.mock.calls.map(([path, body, options]) => [path, body.productId ?? body.productIds, options?.key]),
  ).toEqual([
    ['/wx/cart/add', 1, 'key-1'],
    ['/wx/cart/add', 2, 'key-2'],
    ['/wx/cart/checked', [2], undefined],
  ])
  expect(cart.guest).toEqual([])
  expect(cart.count).toBe(3)
  expect(shownPrices()).toEqual({ 1: 10, 2: 10 })
})

it('keeps a row without an answer, and says which one was refused', async () => {
  localStorage.setItem('shop.cart', JSON.stringify([row(2), row(1)]))
  post
    .mockReset()
    .mockResolvedValueOnce(failed('slow'))
    .mockResolvedValueOnce(failed('refused', '库存不足', { errno: 711 }))
  const cart = useCart()
  await cart.settle()
  expect(cart.guest.map((r) => r.productId)).toEqual([1])
  expect(useToasts().toasts.map((toast) => toast.text)).toEqual([expect.stringMatching(/goods 2/)])

  post.mockReset().mockResolvedValue({ data: 1 })
  await cart.settle()
  expect(post.mock.calls[0]?.[2]).toEqual({ key: 'key-1' })
  expect(cart.guest).toEqual([])
})

it('moves once where two ask for it', async () => {
  localStorage.setItem('shop.cart', JSON.stringify([row(1)]))
  post.mockReset().mockResolvedValue({ data: 1 })
  const cart = useCart()
  await Promise.all([cart.moveIn(), cart.settle(), cart.moveIn()])
  expect(post).toHaveBeenCalledTimes(1)
})
