import type { Page } from '@shop/web/api'
import type { Schema } from '@/api'
import { call } from '@/console/call'
import { area, state } from './order'

type Row = Schema<'orders.Row'>

const pageSize = 500
const together = 4

/**
 * The orders of these numbers. Those that are to be shipped are read by pages, since a file names many of them; the
 * others, which are exceptions, one by one. Unread are those for which the service did not answer.
 */
export async function findOrders(numbers: readonly string[]) {
  const found = new Map<string, Row>()
  const unread = new Set<string>()
  const wanted = new Set(numbers)
  if (wanted.size > together) {
    for (let page = 1, pages = 1; page <= pages && found.size < wanted.size; page++) {
      const query = { orderStatusArray: [state.toShip], page, limit: pageSize }
      const { data } = await call<Page<Row>>(area.list, query)
      if (!data) break
      pages = data.pages
      for (const row of data.list) if (wanted.has(row.orderSn)) found.set(row.orderSn, row)
    }
  }
  const rest = [...wanted].filter((sn) => sn && !found.has(sn))
  async function next(): Promise<void> {
    for (let sn = rest.pop(); sn !== undefined; sn = rest.pop()) {
      const answer = await call<Page<Row>>(area.list, { orderSn: sn, limit: 1 })
      const row = answer.data?.list[0]
      if (answer.failure) unread.add(sn)
      else if (row) found.set(sn, row)
    }
  }
  await Promise.all(Array.from({ length: together }, next))
  return { found, unread }
}
