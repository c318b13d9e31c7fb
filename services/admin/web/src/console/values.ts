import type { Field } from './shape'
import type { Row } from './call'

/** What a form holds of a member: text for all that is typed, a boolean, a list, or the members of an object. */
export type Value = string | boolean | Value[] | { [name: string]: Value }

/** What a form holds. */
export type Values = Record<string, Value>

/** The value of a member of a record in a form; undefined gives what a new record has. */
export function valueOf(field: Field, raw: unknown): Value {
  switch (field.kind) {
    case 'boolean':
      return raw === undefined ? field.default === 'true' : raw === true
    case 'list':
      return Array.isArray(raw) && field.item ? raw.map((each) => valueOf(field.item as Field, each)) : []
    case 'object':
      return valuesOf(field.members ?? [], raw as Row | undefined)
    case 'id':
      return raw ? String(raw) : '' // 0 is the id of no record
    default:
      return raw === undefined || raw === null ? (field.default ?? '') : String(raw)
  }
}

/** The values of the members of a record in a form; without a record those of a new one. */
export function valuesOf(fields: readonly Field[], row: Row = {}): Values {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, row[field.name])]))
}

/** A value as the service reads it; undefined for what nobody has given. */
export function sent(field: Field, value: Value | undefined): unknown {
  if (field.kind === 'list') {
    return (value as Value[]).map((each) => sent(field.item as Field, each)).filter((each) => (each ?? '') !== '')
  }
  if (field.kind === 'object') return sentAll(field.members ?? [], value as Values)
  if (typeof value !== 'string' || field.kind === 'text') return value
  const text = value.trim()
  if (text === '') return undefined
  // What is no whole number goes as it is: the service says what is wrong with it.
  return field.kind !== 'decimal' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/**
 * A changed value as the service reads it. An empty id is 0, that of no record. An empty number, time or choice is
 * undefined: the service takes it for absent, so that it cannot be emptied.
 */
export function sentAsChange(field: Field, value: Value | undefined): unknown {
  if (value !== '') return sent(field, value)
  if (field.kind === 'id') return 0
  return field.kind === 'text' && field.show?.as !== 'time' && !field.enum ? '' : undefined
}

/** All values as the service reads them, without those that nobody has given. */
export function sentAll(fields: readonly Field[], values: Values): Record<string, unknown> {
  const all = fields.map((field) => [field.name, sent(field, values[field.name])] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
}

/** The fields whose values differ. */
export function changed(fields: readonly Field[], before: Values, now: Values): Field[] {
  return fields.filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
}
