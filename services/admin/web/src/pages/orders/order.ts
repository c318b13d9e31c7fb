import type { Schema } from '@/api'
import { nameOf } from '@/console/names'
import { actOf, listed, sharedAct } from '../parts/acts'

type Row = Schema<'order.Row'>
type Full = Schema<'order.Order'>

/** What is known of an order: what its list says, and its record where that may be read. */
export type Order = Pick<Row, keyof Row & keyof Full> & Partial<Row & Full>

/** A line of an order. Comment is the number of the shopper's comment, if there is one. */
export type OrderLine = Schema<'order.RowGoods'> & { readonly comment?: number }

export const area = listed('order')

/** How many orders each state has. */
export const counts = sharedAct('GET', '/admin/order/counts', area.list.button)

const removal = area.delete
if (!removal) throw new Error('no operation that deletes orders')

/** The operations on orders. */
export const acts = {
  ship: actOf(area, 'ship'),
  reship: actOf(area, 'reship'),
  refund: actOf(area, 'refund'),
  reject: actOf(area, 'reject'),
  pay: actOf(area, 'pay'),
  reply: actOf(area, 'reply'),
  export: actOf(area, 'export'),
  delete: removal,
} as const

/** The states that the pages name. */
export const state = { unpaid: 101, toShip: 201, refundAsked: 202, shipped: 301 } as const

const received = [401, 402]
const over = [102, 103, 104, 203, 204]

/** The tabs of the list, with the states of each; all without any. */
export const tabs = [
  { id: 'all', states: [] },
  { id: 'unpaid', states: [state.unpaid] },
  { id: 'toShip', states: [state.toShip] },
  { id: 'refund', states: [state.refundAsked] },
  { id: 'shipped', states: [state.shipped] },
  { id: 'done', states: received },
  { id: 'closed', states: over },
] as const

/** The operations that the state of an order allows, the usual one first. */
export function actsIn(status: number): (keyof typeof acts)[] {
  switch (status) {
    case state.unpaid:
      return ['pay']
    case state.toShip:
      return ['ship']
    case state.refundAsked:
      return ['refund', 'reject']
    case state.shipped:
      return ['reship']
    default:
      return [...received, ...over].includes(status) ? ['delete'] : []
  }
}

/** The name of a state. */
export function stateName(status: number): string {
  const column = area.list.row.find(({ name }) => name === 'orderStatus')
  return nameOf(column?.show, status) ?? String(status)
}

/** How a state is coloured. */
export function stateTone(status: number): 'plain' | 'waits' | 'urgent' | 'good' {
  if (status === state.toShip) return 'waits'
  if (status === state.refundAsked) return 'urgent'
  return status === state.shipped || received.includes(status) ? 'good' : 'plain'
}
