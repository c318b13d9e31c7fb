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

/** How many days are drawn one by one; more are drawn as they come. */
const mostDrawn = 1000

/** The days from the first to the last, in order; one without data has none of anything. */
export function everyDay(days: readonly Day[]): Day[] {
  const known = new Map(days.map((day) => [day.day, day]))
  const names = [...known.keys()].sort()
  const [first, last] = [names[0], names.at(-1)]
  if (first === undefined || last === undefined) return []
  const all: Day[] = []
  for (let day = first; day <= last && all.length < mostDrawn; day = daysBefore(day, -1)) {
    all.push(known.get(day) ?? { day })
  }
  return all.at(-1)?.day === last ? all : names.map((name) => known.get(name) ?? { day: name })
}

/** A table as the text of a CSV file, which begins with the mark by which spreadsheets know its encoding. */
export function csvOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = String(value)
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return '\uFEFF' + [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n'
}
