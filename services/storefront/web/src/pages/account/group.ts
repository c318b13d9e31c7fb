import type { Schema } from '@/api'

type Groupon = Schema<'order.Groupon'>
const states = ['unpaid', 'open', 'done', 'failed'] as const

/** How a group stands: the member is not paid for, it is open, complete, or has failed. */
export function stateOf(groupon: Pick<Groupon, 'status'>): (typeof states)[number] {
  return states[groupon.status] ?? 'failed'
}

/** The opener's record, by which a group is known to everybody. */
export function openerOf(groupon: Pick<Groupon, 'id' | 'grouponId'>): number {
  return groupon.grouponId || groupon.id
}
