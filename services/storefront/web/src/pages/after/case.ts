import { toCents } from '@shop/web/money'
import type { Schema } from '@/api'

// The service tells of an order what it allows, and of a case only its state. What follows from the state stands here,
// in one place; what is wrong about it the service refuses.
const requested = 1
const rejected = 4
const withdrawn = 5

/** Whether the case waits for an answer: it can be changed and withdrawn. */
export const isOpen = (status: number) => status === requested

/** Whether the shopper may ask once more. */
export const mayAskAgain = (status: number) => status === rejected || status === withdrawn

/** What is asked for unless the shopper wants less: what was paid for the goods. */
export function usualAmount(order: Schema<'order.Record'>): string {
  return (Math.max(0, toCents(order.actualPrice) - toCents(order.freightPrice)) / 100).toFixed(2)
}

/** The way of a case. */
export function caseSteps(one: Schema<'aftersale.CaseOrNone'>) {
  const asked = { name: 'requested', at: one.addTime ?? undefined, reached: true } as const
  const answered = { at: one.handleTime, reached: true }
  switch (one.status) {
    case rejected:
      return [asked, { name: 'rejected', ...answered } as const]
    case withdrawn:
      return [asked, { name: 'withdrawn', at: one.updateTime ?? undefined, reached: true } as const]
  }
  // The service keeps the time of the latest answer only.
  return [
    asked,
    { name: 'accepted', at: one.status === 2 ? one.handleTime : undefined, reached: one.status >= 2 } as const,
    { name: 'refunded', at: one.status === 3 ? one.handleTime : undefined, reached: one.status === 3 } as const,
  ]
}
