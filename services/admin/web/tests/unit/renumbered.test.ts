import { expect, it } from 'vitest'
import { renumbered } from '@/pages/category/category'

const of = (...pairs: [id: number, sortOrder: number][]) => pairs.map(([id, sortOrder]) => ({ id, sortOrder }))
const after = (order: ReturnType<typeof of>) => renumbered(order).map(({ record, sortOrder }) => [record.id, sortOrder])

it('an order that the numbers already give changes nothing', () => {
  expect(after(of([1, 50], [2, 50], [3, 60]))).toEqual([])
  expect(after([])).toEqual([])
})

it('records of one number are told apart from the first that was moved', () => {
  expect(after(of([1, 50], [3, 50], [2, 50], [4, 50]))).toEqual([
    [2, 51],
    [4, 52],
  ])
})

it('only what has to follow gets another number', () => {
  expect(after(of([2, 20], [1, 10], [3, 30]))).toEqual([[1, 21]])
  expect(after(of([2, 2], [1, 1], [3, 3]))).toEqual([[1, 3]])
})
