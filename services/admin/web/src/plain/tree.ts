import type { Row } from '@/console/call'
import type { ListAct } from '@/console/shape'

/** A row of a list, and of a tree the rows that it is below, from the root. */
export interface Placed {
  readonly row: Row
  readonly above: readonly Row[]
}

/** The rows of a list; those of a tree each before the rows below it. */
export function placed(list: ListAct, rows: readonly Row[], above: readonly Row[] = []): Placed[] {
  if (!list.tree) return rows.map((row) => ({ row, above }))
  return rows.flatMap((row) => [
    { row, above },
    ...placed(list, (row.children as readonly Row[] | undefined) ?? [], [...above, row]),
  ])
}
