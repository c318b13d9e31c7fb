/** The statistics by page, with the path that answers them. */
export const paths: Readonly<Record<string, string>> = {
  'stat/user': '/admin/stat/user',
  'stat/order': '/admin/stat/order',
  'stat/goods': '/admin/stat/goods',
}

/** A day in the answer: which members it has the answer says. */
export type Day = Readonly<Record<string, number | string>> & { readonly day: string }

/** Columns with amounts of money. */
export const amounts = new Set(['amount', 'pcr'])

/** Columns whose sum says something: a shopper may have bought on several days. */
export const summed = new Set(['users', 'orders', 'amount', 'products'])

/** The days of the range; '' is open. */
export function within(days: readonly Day[], from: string, to: string): Day[] {
  return days.filter(({ day }) => (from === '' || day >= from) && (to === '' || day <= to))
}

/** The sum of a column, of amounts in cents. */
export function sumOf(days: readonly Day[], column: string): number {
  const unit = amounts.has(column) ? 100 : 1
  return days.reduce((sum, day) => sum + Math.round(Number(day[column]) * unit), 0) / unit
}

/** The day n days before another, both as YYYY-MM-DD. */
export function daysBefore(day: string, n: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - n * 86_400_000).toISOString().slice(0, 10)
}
