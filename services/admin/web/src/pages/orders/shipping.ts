import type { Schema } from '@/api'
import { state } from './order'

// Shipping many orders: what a file says, what is wrong with it, and which call each row is.

type Row = Schema<'orders.Row'>

/** A row of what is to be shipped, as it was given. */
export interface Given {
  /** Where it stands in the file, from 1. */
  readonly line: number
  readonly sn: string
  readonly carrier: string
  readonly number: string
}

/** A row with what is known of it. Problem is the key of a text; '' where it can be shipped. */
export interface Planned extends Given {
  readonly order?: Row
  readonly problem: '' | 'incomplete' | 'twice' | 'unknown' | 'already' | 'notToShip' | 'unread'
}

/** The rows of a CSV file: order number, carrier, parcel number. A first row without digits is its heading. */
export function readCsv(text: string): Given[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, cells: cellsOf(line) }))
    .filter(({ cells }) => cells.some(Boolean))
  return rows.flatMap(({ line, cells }, index) => {
    const [sn = '', carrier = '', number = ''] = cells
    if (index === 0 && !/\d/.test(sn)) return []
    return [{ line, sn, carrier, number }]
  })
}

/** The cells of a line, which commas, semicolons or tabs divide; spreadsheets put an = or a quote before long numbers. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|[,;\t])\s*(?:=?"((?:[^"]|"")*)"|([^,;\t]*))/g)]
  return cells.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'/, '').trim())
}

/** What will happen with each row. Found holds the orders by their numbers, unread the numbers that were not looked up. */
export function plan(rows: readonly Given[], found: ReadonlyMap<string, Row>, unread: ReadonlySet<string>): Planned[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    const order = found.get(row.sn)
    const twice = seen.has(row.sn)
    seen.add(row.sn)
    return { ...row, order, problem: problemOf(row, order, twice, unread.has(row.sn)) }
  })
}

function problemOf(row: Given, order: Row | undefined, twice: boolean, unread: boolean): Planned['problem'] {
  if (!row.sn || !row.carrier || !row.number) return 'incomplete'
  if (twice) return 'twice'
  if (!order) return unread ? 'unread' : 'unknown'
  if (order.orderStatus === state.toShip) return ''
  return order.shipSn === row.number ? 'already' : 'notToShip'
}

/** The key of the call that ships a row: the same order with the same parcel is shipped once, however often it is sent. */
export function keyOf(orderId: number, carrier: string, number: string): string {
  let hash = 0
  for (const char of `${carrier}\n${number}`) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0
  return `ship-many-${orderId}-${number.length}-${(hash >>> 0).toString(36)}`
}

/** A file of rows that were not shipped, to mend and to give again, with the reason of each. */
export function csvOf(rows: readonly { row: Given; why: string }[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  return '\uFEFF' + rows.map(({ row, why }) => [row.sn, row.carrier, row.number, why].map(cell).join(',')).join('\r\n')
}
