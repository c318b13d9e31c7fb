import type { Schema } from '@/api'
import { nameOf } from '@/console/names'
import { actOf, listed, sharedAct } from '../parts/acts'

/** An after-sale case. */
export type Case = Schema<'orders.AftersaleRow'>

/** A case with the lines of its order. */
export type CaseDetail = Schema<'orders.AftersaleDetail'>

export const area = listed('aftersale')

/** How many cases each state has. */
export const counts = sharedAct('GET', '/admin/aftersale/counts', area.list.button)

/** Reads one case, which need not be in the list. */
export const read = sharedAct('GET', '/admin/aftersale/read', area.list.button)

/** Where the parcel is with the goods that come back, as its carrier says. */
export const tracking = sharedAct('GET', '/admin/aftersale/parcel', area.list.button)

/** The operations on cases. */
export const acts = {
  recept: actOf(area, 'recept'),
  reject: actOf(area, 'reject'),
  refund: actOf(area, 'refund'),
  receive: actOf(area, 'receive'),
  exchange: actOf(area, 'exchange'),
  'batch-recept': actOf(area, 'batch-recept'),
  'batch-reject': actOf(area, 'batch-reject'),
} as const

/** The states that a case may be in once it was requested. */
export const state = { requested: 1, accepted: 2, refunded: 3, rejected: 4, withdrawn: 5, exchanged: 6 } as const

/** The types of requests that the pages name. */
export const type = { returned: 2, exchange: 3 } as const

/** The tabs of the list, with the state of each. */
export const tabs = [
  { id: 'all', status: '' },
  ...Object.entries(state).map(([id, status]) => ({ id, status: String(status) })),
] as { id: 'all' | keyof typeof state; status: string }[]

export type Decision = 'recept' | 'reject' | 'refund' | 'receive' | 'exchange'

/** The operations that the state of a case allows, the usual one first. */
export function actsIn({ status, type: kind, arriveTime, lines }: Case): Decision[] {
  if (status === state.requested) return ['recept', 'reject']
  if (status !== state.accepted) return []
  const usual: Decision = kind === type.exchange ? 'exchange' : 'refund'
  const awaited = (kind === type.returned || kind === type.exchange) && !arriveTime
  return [...(awaited ? (['receive'] as const) : []), usual, ...(lines.length ? (['reject'] as const) : [])]
}

/** The name of a state. */
export function stateName(status: number): string {
  const field = area.list.fields.find(({ name }) => name === 'status')
  return nameOf(field?.show, status) ?? String(status)
}

/** How a state is coloured. */
export function stateTone(status: number): 'plain' | 'waits' | 'urgent' | 'good' {
  if (status === state.requested) return 'urgent'
  if (status === state.accepted) return 'waits'
  return status === state.refunded || status === state.exchanged ? 'good' : 'plain'
}

/** The key of the name of what the shopper asks for. */
export function typeKey(type: number): string {
  return `aftersale.type.${(['notReceived', 'refundOnly', 'returned', 'exchange'] as const)[type] ?? 'refundOnly'}`
}

/** What may be decided about many cases at once, and the state in which each must be. */
export const batches = {
  'batch-recept': state.requested,
  'batch-reject': state.requested,
  refund: state.accepted,
} as const

export type Batch = keyof typeof batches

/** Whether a case can be among those that are decided at once; what is exchanged is not refunded. */
export function takes(name: Batch, { status, type: kind }: Case): boolean {
  return status === batches[name] && !(name === 'refund' && kind === type.exchange)
}
