import { word } from '@/i18n'
import type { Area, Field, Member, Show } from './shape'
import type { Row } from './call'

/** The name of one of a few values, or undefined where it has none. */
export function nameOf(show: Show | undefined, value: unknown): string | undefined {
  const found = show?.one?.find((one) => String(one.value) === String(value))
  return found && capital(word(found.label))
}

/** The names of states are words of sentences, too, which begin small in English. */
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The values that a field may have, with their names. */
export function choicesOf(field: Field): { value: string; text: string }[] {
  const named = field.show?.one?.map((one) => ({ value: String(one.value), text: capital(word(one.label)) }))
  return named ?? (field.enum ?? []).map((value) => ({ value, text: value }))
}

/** The member by which people know a record of an area: what opens it in the list, else its first text. */
export function titleOf(area: Area): Member | undefined {
  const columns = area.list?.columns ?? []
  return columns.find((c) => c.opens) ?? columns.find((c) => c.kind === 'text' && c.show === undefined)
}

/** The name of a record for people; '' where it has none. */
export function titleFor(area: Area, row: Row): string {
  const title = titleOf(area)
  return title ? String(row[title.name] ?? '') : ''
}
