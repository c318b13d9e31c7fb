import { describe, expect, it } from 'vitest'
import { areas } from '@/api/console'
import { recordIn } from '@/plain/reader'
import { placed } from '@/plain/tree'

describe('a record', () => {
  it('is found in every answer of a read', () => {
    const record = { id: 1 }
    for (const data of [record, { list: [record], total: 1 }, { total: 1, goods: record, products: [{ id: 2 }] }]) {
      expect(recordIn(data)).toEqual(record)
    }
    for (const nothing of [undefined, null, 1, {}, { list: [], total: 0 }, { goods: null }]) {
      expect(recordIn(nothing)).toBeUndefined()
    }
  })

  it('of a tree stands below those that it belongs to', () => {
    const list = areas.category?.list
    if (!list) throw new Error('no list of categories')
    const [leaf, other] = [{ id: 3 }, { id: 4 }]
    const root = { id: 1, children: [{ id: 2, children: [leaf] }] }
    const found = placed(list, [root, other])
    expect(found.map(({ row, above }) => [row.id, above.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 0],
    ])
    expect(placed({ ...list, tree: undefined }, [root, other])).toHaveLength(2)
  })
})
