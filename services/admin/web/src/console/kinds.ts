import type { Column, Field } from './shape'

/** Whether every value that a field may have is named, so that one chooses instead of typing. */
export function isChoice(field: Field): boolean {
  if (field.enum) return true
  const named = field.show?.one?.length ?? 0
  if (named === 0) return false
  return field.min === undefined || field.max === undefined || field.max - field.min < named
}

/** Whether a text is the id of a record. */
export const isID = (text: string) => /^[1-9]\d*$/.test(text)

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
