import type { Field } from '@/console/shape'
import type { Values } from '@/console/values'

type Shown = (field: Field, values: Values) => Field | undefined

/** What the ids of a scope of a coupon are those of, by the scope. */
const scopes: Readonly<Record<string, string>> = { 1: 'category', 2: 'goods' }

const coupon: Shown = (field, values) => {
  const fixed = values.timeType === '1'
  if (field.name === 'days') return fixed ? undefined : field
  if (field.name === 'startTime' || field.name === 'endTime') return fixed ? field : undefined
  if (field.name !== 'goodsValue') return field
  const of = scopes[String(values.goodsType)]
  return of ? { ...field, show: { as: 'of', of } } : undefined
}

/** Goods without a weight count only where weights do. */
const freight: Shown = (field, values) => (field.name === 'pieceWeight' && values.charge === '2' ? undefined : field)

/** Which members of a record count, and what they are, by what else it says. Others are not asked for. */
const depends: Readonly<Record<string, Shown>> = { coupon, freight }

/** The fields of a form that are asked for now. */
export function askedFor(area: string, fields: readonly Field[], values: Values): Field[] {
  const shown = depends[area]
  return shown ? fields.flatMap((field) => shown(field, values) ?? []) : [...fields]
}
