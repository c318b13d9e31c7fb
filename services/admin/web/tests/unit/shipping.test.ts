import { describe, expect, it } from 'vitest'
import type { Schema } from '@/api'
import { picked } from '@/pages/orders/pick'
import { csvOf, keyOf, plan, readCsv } from '@/pages/orders/shipping'

const order = (id: number, orderSn: string, orderStatus: number, shipSn: string | null = null) =>
  ({ id, orderSn, orderStatus, shipSn }) as Schema<'orders.Row'>

describe('a file of parcels', () => {
  it('is read as spreadsheets write it', () => {
    const text =
      '\uFEFF订单编号,快递公司,快递单号\r\n2026001,ZTO,751\r\n\r\n="2026002";"中通, 快运";\'0752\r\n2026003\tSF\t753'
    expect(readCsv(text)).toEqual([
      { line: 2, sn: '2026001', carrier: 'ZTO', number: '751' },
      { line: 4, sn: '2026002', carrier: '中通, 快运', number: '0752' },
      { line: 5, sn: '2026003', carrier: 'SF', number: '753' },
    ])
    expect(readCsv('2026001,,751')).toEqual([{ line: 1, sn: '2026001', carrier: '', number: '751' }])
  })

  it('says of each row what will happen', () => {
    const rows = readCsv('1,ZTO,a\n2,ZTO,b\n1,ZTO,c\n3,ZTO,d\n4,ZTO,e\n5,ZTO,\n6,ZTO,f')
    const found = new Map([
      ['1', order(1, '1', 201)],
      ['2', order(2, '2', 202)],
      ['4', order(4, '4', 301, 'e')],
    ])
    expect(plan(rows, found, new Set(['6'])).map(({ problem }) => problem)).toEqual([
      '',
      'notToShip',
      'twice',
      'unknown',
      'already',
      'incomplete',
      'unread',
    ])
  })

  it('ships the same parcel under the same key, and another under another', () => {
    expect(keyOf(7, 'ZTO', '751')).toBe(keyOf(7, 'ZTO', '751'))
    expect(keyOf(7, 'ZTO', '751')).not.toBe(keyOf(7, 'ZTO', '752'))
    expect(keyOf(7, 'ZTO', '751')).not.toBe(keyOf(8, 'ZTO', '751'))
    expect(keyOf(7, '中通', '9'.repeat(63))).toMatch(/^[\w-]{1,96}$/)
  })

  it('of the rows that failed can be given again', () => {
    const rows = readCsv('1,"a ""b"", c",751')
    const [row] = rows
    expect(row && readCsv(csvOf([{ row, why: 'no' }]))).toEqual(rows)
  })
})

it('a pick list adds up the pieces of each product', () => {
  const line = (productId: number, goodsName: string, number: number) =>
    ({ productId, goodsName, number, specifications: ['M'] }) as Schema<'orders.RowGoods'>
  const orders = [{ goodsVoList: [line(1, 'b', 2), line(2, 'a', 1)] }, { goodsVoList: [line(1, 'b', 3)] }]
  expect(picked(orders).map(({ name, pieces, orders }) => [name, pieces, orders])).toEqual([
    ['a', 1, 1],
    ['b', 5, 2],
  ])
})
