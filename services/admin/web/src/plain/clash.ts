import type { Field } from '@/console/shape'
import { changed, type Value, type Values } from '@/console/values'

/** A member that two operators have changed differently. */
export interface Difference {
  readonly field: Field
  readonly mine: Value
  readonly theirs: Value
}

/** Which members somebody else alone has changed, and which both have, to different values. */
export function changedBy(fields: readonly Field[], base: Values, mine: Values, theirs: Values) {
  const other = changed(fields, base, theirs)
  const own = new Set(changed(fields, base, mine))
  const differ = new Set(changed(fields, mine, theirs))
  const both = other
    .filter((field) => own.has(field) && differ.has(field))
    .map((field): Difference => ({ field, mine: mine[field.name] ?? '', theirs: theirs[field.name] ?? '' }))
  return { theirs: other.filter((field) => !own.has(field)), both }
}
