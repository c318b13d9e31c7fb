import type { Row } from '@/console/call'
import { withoutDoubles } from '@/console/kinds'
import type { Act } from '@/console/shape'

// Members of a change that say which record is meant and as of when, and are not filled in.
const versions = ['expectedUpdateTime', 'updateTime']
const refers = new Set(['id', ...versions])

/** The fields of an operation that people fill in. */
export function filledIn(act: Act) {
  return withoutDoubles(act.fields).filter(({ name }) => !refers.has(name))
}

/** Which record a change is about, and as of when: it is refused if somebody else has changed the record since. */
export function refOf(act: Act, row: Row): Record<string, unknown> {
  const version = versions.find((name) => act.fields.some((field) => field.name === name))
  return { id: row.id, ...(version && row.updateTime ? { [version]: row.updateTime } : {}) }
}

/** Which record an operation without further members is about. */
export function namedBy(act: Act, row: Row): Record<string, unknown> {
  return Object.fromEntries(act.fields.map((field) => [field.name, row[field.name] ?? row.id]))
}

/** The record in the answer of a read, which may have others beside it. */
export function recordIn(data: unknown): Row | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const found = 'id' in data ? data : Object.values(data).find((v) => typeof v === 'object' && v !== null && 'id' in v)
  return found as Row | undefined
}
