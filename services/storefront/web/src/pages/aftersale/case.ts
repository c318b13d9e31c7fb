import type { Schema } from '@/api'

const rejected = 4
const withdrawn = 5
const exchanged = 6

/** The type of a request for other goods in exchange. */
export const exchange = 3

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
  if (one.type === exchange) {
    return [
      asked,
      { name: 'accepted', at: one.status === 2 ? one.handleTime : undefined, reached: one.status >= 2 } as const,
      {
        name: 'exchanged',
        at: one.status === exchanged ? one.handleTime : undefined,
        reached: one.status === exchanged,
      } as const,
    ]
  }
  // The service keeps the time of the latest answer only.
  return [
    asked,
    { name: 'accepted', at: one.status === 2 ? one.handleTime : undefined, reached: one.status >= 2 } as const,
    { name: 'refunded', at: one.status === 3 ? one.handleTime : undefined, reached: one.status === 3 } as const,
  ]
}

/** A line of the order, with what cases have done about its pieces. */
export type CaseLine = Schema<'aftersale.Line'>

/** What was paid for the next pieces of a line, in steps of the currency; the last pieces have what rounding leaves. */
export function worthOf(line: CaseLine, pieces: number, decimals: number): number {
  const unit = 10 ** (2 - decimals)
  const paid = Math.round(line.paid * 100)
  const dealt = line.returned + line.exchanged
  const upTo = (n: number) => (n >= line.number ? paid : Math.floor((paid * n) / line.number / unit) * unit)
  return (upTo(dealt + pieces) - upTo(dealt)) / 100
}
