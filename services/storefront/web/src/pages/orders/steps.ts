import type { Schema } from '@/api'

/** Something that has happened to an order, or is still to happen. */
export interface Step {
  /** Its text: after.step.* */
  name: 'placed' | 'paid' | 'shipped' | 'received' | 'cancelled' | 'lapsed' | 'closed' | 'refunding' | 'refunded'
  at?: string
  reached: boolean
}

// How an order ends other than by being received.
const ends: Partial<Record<number, Step['name']>> = {
  102: 'cancelled',
  103: 'lapsed',
  104: 'closed',
  202: 'refunding',
  203: 'refunded',
}

/** The way of an order: what has happened, then what it still waits for. */
export function stepsOf(order: Schema<'order.Info'>): Step[] {
  const paid: Step = { name: 'paid', at: order.payTime, reached: order.payTime !== undefined }
  const onDelivery = order.owed || (order.payTime && order.shipTime && order.payTime > order.shipTime)
  const way: Step[] = [
    { name: 'placed', at: order.addTime ?? undefined, reached: true },
    ...(onDelivery ? [] : [paid]),
    { name: 'shipped', at: order.shipTime, reached: order.shipTime !== undefined },
    { name: 'received', at: order.confirmTime, reached: order.confirmTime !== undefined },
    ...(onDelivery ? [paid] : []),
  ]
  const end = ends[order.orderStatus]
  if (!end) return way
  const at = end === 'refunding' ? undefined : (order.refundTime ?? order.endTime)
  return [...way.filter((step) => step.reached), { name: end, at, reached: true }]
}
