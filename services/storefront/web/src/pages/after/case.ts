import type { Schema } from '@/api'

const rejected = 4
const withdrawn = 5

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
