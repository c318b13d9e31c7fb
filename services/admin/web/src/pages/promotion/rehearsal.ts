import { areas } from '@/api/console'
import type { Act } from '@/console/shape'

function rehearsalAt(path: string): Act {
  const act = areas.rehearsal?.acts.find((each) => each.path === path)
  if (!act) throw new Error(`no operation ${path}`)
  return act
}

/** What of a rule its rehearsal asks for. */
export function given(act: Act, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(act.fields.map(({ name }) => [name, values[name]]))
}

/** The operations that try a rule on the last orders. */
export const rehearsals = {
  coupon: rehearsalAt('/admin/rehearsal/coupon'),
  groupon: rehearsalAt('/admin/rehearsal/groupon'),
} as const
