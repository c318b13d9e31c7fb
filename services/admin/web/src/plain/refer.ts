import type { Row } from '@/console/call'
import { withoutDoubles } from '@/console/kinds'
import type { Act } from '@/console/shape'

// Members of a change that say which record is meant and as of when, and are not filled in.
const versions = ['expectedUpdateTime', 'updateTime']
const refers = new Set(['id', ...versions])

/** The fields of an operation that people fill in; of a change those that the record has, so that none is shown empty. */
export function filledIn(act: Act, row?: Row) {
  return withoutDoubles(act.fields).filter(({ name }) => !refers.has(name) && (!row || name in row))
}

/** The body of a change: it is refused if somebody else has changed the record since the row was read. */
export function bodyOf(act: Act, row: Row, members: Row): object {
  const version = versions.find((name) => act.fields.some((field) => field.name === name))
  const body = { id: row.id, ...(version && row.updateTime ? { [version]: row.updateTime } : {}), ...members }
  return act.record ? { [act.record]: body } : body
}

/** Which record an operation without further members is about. */
export function namedBy(act: Act, row: Row): Record<string, unknown> {
  return Object.fromEntries(act.fields.map((field) => [field.name, row[field.name] ?? row.id]))
}
