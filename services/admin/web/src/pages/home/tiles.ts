import type { Page } from '@shop/web/api'
import type { RouteLocationRaw } from 'vue-router'
import type { Act } from '@/console/shape'
import type { Schema } from '@/api'
import { counts as caseCounts, state as caseState } from '../aftersale/case'
import { checks } from '../books/acts'
import { openCases } from '../orders/cases'
import { counts as orderCounts, state as orderState } from '../orders/order'
import { listed } from '../parts/acts'
import { countsOf, shownCount, sumOf } from '../parts/counts'

/** What waits for staff: how many, and where it is. */
export interface Tile {
  readonly id: 'toShip' | 'refunds' | 'aftersale' | 'lowStock' | 'cases' | 'messages' | 'disagreements'
  /** The number, from what its source answers. */
  readonly shown: (answer: unknown) => string
  readonly to: RouteLocationRaw
}

/** What one call counts, which is some tiles. */
export interface Source {
  readonly act: Act
  readonly query: Readonly<Record<string, unknown>>
  readonly tiles: readonly Tile[]
}

/** A tile of the records in a state, whose number a call for all states answers. */
function inState(id: Tile['id'], member: string, state: number, path: string, filter: string): Tile {
  return {
    id,
    shown: (answer) => shownCount(sumOf(countsOf(answer as Parameters<typeof countsOf>[0], member), [state])),
    to: { path, query: { [filter]: state } },
  }
}

/** A tile with the total of a list. */
function totalOf(id: Tile['id'], act: Act, query: Source['query'], to: RouteLocationRaw): Source {
  const shown = (answer: unknown) => String((answer as Page<unknown>).total)
  return { act, query: { ...query, limit: 1 }, tiles: [{ id, shown, to }] }
}

/** What the last check of the books that ended has found. */
function disagreements(answer: unknown): string {
  const ended = (answer as readonly Schema<'system.Check'>[]).find(({ running }) => !running)
  return String(ended?.found ?? 0)
}

/** The tiles of the first page, by what counts them. Whoever may not call that does not see them. */
export const sources: readonly Source[] = [
  {
    act: orderCounts,
    query: {},
    tiles: [
      inState('toShip', 'orderStatus', orderState.toShip, '/mall/order', 'orderStatusArray'),
      inState('refunds', 'orderStatus', orderState.refundAsked, '/mall/order', 'orderStatusArray'),
    ],
  },
  {
    act: caseCounts,
    query: {},
    tiles: [inState('aftersale', 'status', caseState.requested, '/mall/aftersale', 'status')],
  },
  totalOf('lowStock', listed('goods').list, { stock: 'low' }, { path: '/goods/goods', query: { stock: 'low' } }),
  totalOf('cases', openCases, {}, { path: '/mall/order', query: { view: 'cases' } }),
  totalOf(
    'messages',
    openCases,
    { kind: 'dead-letter' },
    { path: '/mall/order', query: { view: 'cases', kind: 'dead-letter' } },
  ),
  {
    act: checks,
    query: {},
    tiles: [{ id: 'disagreements', shown: disagreements, to: { path: '/sys/books' } }],
  },
]
