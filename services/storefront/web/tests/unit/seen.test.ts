import { beforeEach, expect, it, vi } from 'vitest'
import { forgetSeen, see, seenGoods } from '@/composables/seen'

const goods = (id: number) => ({ id, name: `goods ${id}`, picUrl: '', retailPrice: 9 })

beforeEach(() => localStorage.clear())

it('remembers the last twelve goods once each, without their prices', () => {
  for (let id = 1; id <= 14; id++) see(goods(id))
  see(goods(10))
  expect(seenGoods().map((g) => g.id)).toEqual([10, 14, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3])
  expect(localStorage.getItem('shop.seen')).not.toContain('retailPrice')
  forgetSeen()
  expect(seenGoods()).toEqual([])
})

it('has nothing where the storage is broken or full', () => {
  for (const kept of ['{', '{"id":1}', '[null]', '[{"id":0}]']) {
    localStorage.setItem('shop.seen', kept)
    expect(seenGoods()).toEqual([])
  }
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => see(goods(1))).not.toThrow()
})
