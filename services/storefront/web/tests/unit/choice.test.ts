import { expect, it } from 'vitest'
import { ref } from 'vue'
import type { Schema } from '@/api'
import { useChoice } from '@/pages/goods/choice'

type Detail = Schema<'catalog.Detail'>

function detail(stock: Record<string, number>): Detail {
  const value = (specification: string, v: string, id: number) => ({ id, specification, value: v })
  return {
    info: { retailPrice: 10, isOnSale: true, picUrl: 'p' },
    specificationList: [
      { name: '颜色', valueList: [value('颜色', '红', 1), value('颜色', '蓝', 2)] },
      { name: '容量', valueList: [value('容量', '大', 3), value('容量', '小', 4)] },
    ],
    productList: Object.entries(stock).map(([key, number], i) => ({
      id: i + 1,
      specifications: key.split(' '),
      number,
      price: 10 + i,
      url: '',
    })),
  } as unknown as Detail
}

it('offers only what is left beside what is picked', () => {
  const c = useChoice(ref(detail({ '红 大': 3, '红 小': 0, '蓝 大': 0, '蓝 小': 5 })))
  expect(c.available('容量', '小')).toBe(true)
  c.pick('颜色', '红')
  expect(c.available('容量', '小')).toBe(false)
  expect(c.missing.value).toBe('容量')
  c.pick('容量', '大')
  expect(c.product.value?.id).toBe(1)
  c.pick('颜色', '红') // once more takes it back
  expect(c.product.value).toBeUndefined()
})

it('begins with the product that is named', () => {
  const c = useChoice(ref(detail({ '红 大': 3, '蓝 小': 5 })))
  c.begin(2)
  expect(c.words.value).toEqual(['蓝', '小'])
  expect(c.price.value).toBe(11)
})

it('knows what is sold out', () => {
  const c = useChoice(ref(detail({ '红 大': 0 })))
  expect(c.onSale.value).toBe(false)
  expect(c.soldOut.value).toBe(true)
})

it('counts the pieces that are left of all products', () => {
  expect(useChoice(ref(detail({ '红 大': 3, '红 小': 0, '蓝 小': 5 }))).left.value).toBe(8)
})
