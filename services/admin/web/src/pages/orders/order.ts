import type { Schema } from '@/api'
import { nameOf } from '@/console/names'
import { word } from '@/i18n'
import { actOf, listed, sharedAct } from '../parts/acts'

type Row = Schema<'orders.Row'>
type Full = Schema<'orders.Order'>

/** What is known of an order: what its list says, and its record where that may be read. */
export type Order = Pick<Row, keyof Row & keyof Full> & Partial<Row & Full>

/** A line of an order. Comment is the number of the shopper's comment, if there is one. */
export type OrderLine = Schema<'orders.RowGoods'> & { readonly comment?: number }

export const area = listed('order')

/** How many orders each state has. */
export const counts = sharedAct('GET', '/admin/order/counts', area.list.button)

/** Where the parcel of an order is, as its carrier says. */
export const tracking = sharedAct('GET', '/admin/order/parcel', area.list.button)

/** Notes that packing slips were printed. */
export const printed = sharedAct('POST', '/admin/order/printed', { zh: '打印', en: 'Print' })

const removal = area.delete
if (!removal) throw new Error('no operation that deletes orders')

/** The operations on orders. */
export const acts = {
  ship: actOf(area, 'ship'),
  collect: actOf(area, 'collect'),
  reship: actOf(area, 'reship'),
  refund: actOf(area, 'refund'),
  reject: actOf(area, 'reject'),
  pay: actOf(area, 'pay'),
  callOff: actOf(area, 'call-off'),
  reply: actOf(area, 'reply'),
  remark: actOf(area, 'remark'),
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
export function actsIn({ orderStatus, owed, delivery }: Order): (keyof typeof acts)[] {
  const collected = delivery === 'collect'
  switch (orderStatus) {
    case state.unpaid:
      return ['pay']
    case state.toShip:
      if (owed) return ['ship', 'pay', 'callOff']
      return collected ? ['ship', 'collect'] : ['ship']
    case state.refundAsked:
      return ['refund', 'reject']
    case state.shipped:
      if (collected) return owed ? ['pay', 'callOff'] : ['collect']
      return owed ? ['pay', 'reship', 'callOff'] : ['reship']
    default:
      if (owed) return ['pay']
      return [...received, ...over].includes(orderStatus) ? ['delete'] : []
  }
}

/** The name of a state. */
export function stateName(status: number): string {
  const column = area.list.row.find(({ name }) => name === 'orderStatus')
  return nameOf(column?.show, status) ?? String(status)
}

/** The name of an order's state, and whether the money is still to be collected. */
export function stateText({ orderStatus, owed, delivery }: Pick<Order, 'orderStatus' | 'owed' | 'delivery'>): string {
  const column = area.list.row.find(({ name }) => name === 'owed')
  const waits = delivery === 'collect' && orderStatus === state.shipped
  const name = waits ? word(ready) : stateName(orderStatus)
  if (!owed || !column) return name
  return orderStatus === state.toShip ? word(onDelivery) : `${name} · ${word(column.label)}`
}

const onDelivery = { zh: '货到付款', en: 'Cash on delivery' }
const ready = { zh: '待取货', en: 'Ready to collect' }

/** The name of the way of delivery, '' for a parcel. */
export function wayOf({ delivery }: Pick<Order, 'delivery'>): string {
  const column = area.list.row.find(({ name }) => name === 'delivery')
  return delivery ? (nameOf(column?.show, delivery) ?? delivery) : ''
}

/** What the parcel of an order must say: nothing where it is collected, all of a carrier's. */
export function parcelRules({ delivery }: Pick<Order, 'delivery'>) {
  return (delivery ? acts.ship : acts.reship).fields.slice(1)
}

/** How a state is coloured. */
export function stateTone(status: number): 'plain' | 'waits' | 'urgent' | 'good' {
  if (status === state.toShip) return 'waits'
  if (status === state.refundAsked) return 'urgent'
  return status === state.shipped || received.includes(status) ? 'good' : 'plain'
}
