import type { Schema } from '@/api'
import { nameOf } from '@/console/names'
import { actOf, listed, sharedAct } from '../parts/acts'

/** An after-sale case. */
export type Case = Schema<'aftersale.Row'>

export const area = listed('aftersale')

/** How many cases each state has. */
export const counts = sharedAct('GET', '/admin/aftersale/counts', area.list.button)

/** Reads one case, which need not be in the list. */
export const read = sharedAct('GET', '/admin/aftersale/read', area.list.button)

/** The operations on cases. */
export const acts = {
  recept: actOf(area, 'recept'),
  reject: actOf(area, 'reject'),
  refund: actOf(area, 'refund'),
  'batch-recept': actOf(area, 'batch-recept'),
  'batch-reject': actOf(area, 'batch-reject'),
} as const

/** The states that a case may be in once it was requested. */
export const state = { requested: 1, accepted: 2, refunded: 3, rejected: 4, withdrawn: 5 } as const

/** The tabs of the list, with the state of each. */
export const tabs = [
  { id: 'all', status: '' },
  ...Object.entries(state).map(([id, status]) => ({ id, status: String(status) })),
] as { id: 'all' | keyof typeof state; status: string }[]

/** The operations that the state of a case allows, the usual one first. */
export function actsIn(status: number): ('recept' | 'reject' | 'refund')[] {
  if (status === state.requested) return ['recept', 'reject']
  return status === state.accepted ? ['refund'] : []
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
  return status === state.refunded ? 'good' : 'plain'
}

/** The key of the name of what the shopper asks for. */
export function typeKey(type: number): string {
  return `aftersale.type.${(['notReceived', 'refundOnly', 'returned'] as const)[type] ?? 'refundOnly'}`
}

/** What may be decided about many cases at once, and the state in which each must be. */
export const batches = {
  'batch-recept': state.requested,
  'batch-reject': state.requested,
  refund: state.accepted,
} as const

export type Batch = keyof typeof batches
