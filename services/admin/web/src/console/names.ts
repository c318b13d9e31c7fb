import { word } from '@/i18n'
import type { Area, Column, Field, Member, Show } from './shape'
import type { Row } from './call'

/** The name of one of a few values, or undefined where it has none. */
export function nameOf(show: Show | undefined, value: unknown): string | undefined {
  const found = show?.one?.find((one) => String(one.value) === String(value))
  return found && word(found.label)
}

/** Whether every value that a field may have is named, so that one chooses instead of typing. */
export function isChoice(field: Field): boolean {
  if (field.enum) return true
  const named = field.show?.one?.length ?? 0
  if (named === 0) return false
  return field.min === undefined || field.max === undefined || field.max - field.min < named
}

/** The values that a field may have, with their names. */
export function choicesOf(field: Field): { value: string; text: string }[] {
  const named = field.show?.one?.map((one) => ({ value: String(one.value), text: word(one.label) }))
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

/** Whether a column is read from the right, as numbers are. */
export function isNumber(column: Column): boolean {
  return column.kind === 'money' || (column.kind === 'integer' && !column.show)
}

/** Whether an input of a field consists of several, so that its label is that of a group. */
export function isGroup(field: Field): boolean {
  return field.kind === 'object' || (field.kind === 'list' && field.show?.of !== 'role')
}

/** Members without those that others say as well: what earlier consoles know as roleId is the same as roleIds. */
export function withoutDoubles<M extends { readonly name: string }>(members: readonly M[]): M[] {
  const names = new Set(members.map((member) => member.name))
  return members.filter(({ name }) => !names.has(name + 's'))
}
