import { daysAgo } from '@shop/web/time'

// Days as they are written, YYYY-MM-DD, by the calendar of the shop's zone.

const day24 = 86_400_000

/** The day that is so many days later. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * day24).toISOString().slice(0, 10)
}

/** Today, where the shop is. */
export function today(): string {
  const some = '2020-01-01'
  return shifted(some, daysAgo(`${some} 00:00:00`))
}

/** The moment at which a day begins, as the service reads it. */
export const beginOf = (day: string) => `${day} 00:00:00`
