import { createPinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { useCart } from '@/stores/cart'
import { useSession } from '@/stores/session'

vi.mock('@/api', async () => {
  const { ref } = await import('vue')
  return { token: ref(''), api: {}, setToken: () => undefined, onSessionEnd: () => undefined }
})

function choice(productId: number, number = 1) {
  return { goodsId: productId, productId, number, name: 'goods', picUrl: '', price: 10, specifications: [] }
}

/** What the browser tells the tabs that have not written. */
function tell(key: string | null): void {
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

const kept = () => JSON.parse(localStorage.getItem('shop.cart') ?? '[]') as { productId: number; number: number }[]

beforeEach(() => {
  localStorage.clear()
  tell(null)
})

it('keeps what a guest chooses in two tabs', async () => {
  const [one, two] = [useCart(createPinia()), useCart(createPinia())]
  await one.add(choice(1), 'a')
  await two.add(choice(2), 'b')
  await one.add(choice(2, 3), 'c')
  await nextTick()
  expect(kept().map((r) => [r.productId, r.number])).toEqual([
    [2, 4],
    [1, 1],
  ])
  expect(one.count).toBe(5)
  two.changeGuest((rows) => rows.filter((r) => r.productId !== 2))
  tell('shop.cart')
  expect(one.guest.map((r) => r.productId)).toEqual([1])
})

it('keeps the words of two tabs, and shows them', async () => {
  const one = await import('@/pages/search/words')
  vi.resetModules()
  const two = await import('@/pages/search/words')
  one.remember('tea')
  two.remember('pot')
  one.remember('cup')
  tell('shop.searches')
  expect(one.guestWords.value).toEqual(['cup', 'pot', 'tea'])
  expect(two.guestWords.value).toEqual(['cup', 'pot', 'tea'])
  two.forget()
  tell('shop.searches')
  expect(one.guestWords.value).toEqual([])
})

it('shows in each tab who is logged in', () => {
  const [one, two] = [useSession(createPinia()), useSession(createPinia())]
  one.know({ nickName: 'Lin', avatarUrl: '' } as Parameters<typeof one.know>[0])
  tell('shop.user')
  expect(two.user?.nickName).toBe('Lin')
})

it.each(['{', '7', '{"a":1}'])('takes %j for an empty cart', (text) => {
  localStorage.setItem('shop.cart', text)
  expect(useCart(createPinia()).guest).toEqual([])
})
