import { daysAgo } from '@shop/web/time'
import { actOf } from '../parts/acts'
import { areas } from '@/api/console'
import type { Act } from '@/console/shape'
import { beginOf, shifted, today } from '../parts/days'

/** The ranges that a chart may show, in days. */
export const ranges = [7, 30, 90] as const

/** A chart by day: the operation that it is read from, and the members of its rows that are drawn. */
export interface Chart {
  readonly id: 'orders' | 'goods' | 'users'
  readonly act: Act
  readonly members: readonly ('amount' | 'orders' | 'customers' | 'products' | 'users')[]
}

const stat = areas.stat
if (!stat) throw new Error('no statistics')

export const charts: readonly Chart[] = [
  { id: 'orders', act: actOf(stat, 'stat/order'), members: ['amount', 'orders'] },
  { id: 'goods', act: actOf(stat, 'stat/goods'), members: ['amount', 'products'] },
  { id: 'users', act: actOf(stat, 'stat/user'), members: ['users'] },
]

/** A row of a chart: a day with its numbers. */
export type DayRow = Readonly<Record<string, unknown>> & { readonly day: string }

/** The last so many days, today included, each with its numbers: a day without a row has none of anything. */
export function daily(rows: readonly DayRow[], members: readonly string[], range: number) {
  const last = today()
  const byDay = new Map(rows.filter(({ day }) => daysAgo(beginOf(day)) < range).map((row) => [row.day, row]))
  const days = Array.from({ length: range }, (_, i) => shifted(last, i + 1 - range))
  const values = members.map((member) => days.map((day) => Number(byDay.get(day)?.[member] ?? 0)))
  return { days, values }
}
