import type { RouteLocationRaw } from 'vue-router'
import type { Act } from '@/console/shape'
import { area as aftersale, state as caseState } from '../aftersale/case'
import { openCases } from '../orders/cases'
import { area as orders, state as orderState } from '../orders/order'

/** What waits for staff: how it is counted, and where it is. */
export interface Tile {
  readonly id: 'toShip' | 'refunds' | 'aftersale' | 'cases'
  readonly act: Act
  readonly query: Readonly<Record<string, unknown>>
  readonly to: RouteLocationRaw
}

/** The tiles of the first page. Whoever may not call what counts one does not see it. */
export const tiles: readonly Tile[] = [
  {
    id: 'toShip',
    act: orders.list,
    query: { orderStatusArray: [orderState.toShip] },
    to: { path: '/mall/order', query: { orderStatusArray: orderState.toShip } },
  },
  {
    id: 'refunds',
    act: orders.list,
    query: { orderStatusArray: [orderState.refundAsked] },
    to: { path: '/mall/order', query: { orderStatusArray: orderState.refundAsked } },
  },
  {
    id: 'aftersale',
    act: aftersale.list,
    query: { status: caseState.requested },
    to: { path: '/mall/aftersale', query: { status: caseState.requested } },
  },
  { id: 'cases', act: openCases, query: {}, to: { path: '/mall/order', query: { view: 'cases' } } },
]
