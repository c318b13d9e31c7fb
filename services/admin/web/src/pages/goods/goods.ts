import type { Schema } from '@/api'
import type { Act, Field } from '@/console/shape'
import { actOf, listed, sharedAct } from '../parts/acts'

export type Detail = Schema<'catalog.GoodsDetail'>

export const area = listed('goods')

function needed(act: Act | undefined): Act {
  if (!act) throw new Error('an operation on goods is missing')
  return act
}

/** The operations on goods. */
export const acts = {
  create: needed(area.create),
  read: needed(area.read),
  update: needed(area.update),
  delete: needed(area.delete),
  hot: actOf(area, 'hot'),
  batch: actOf(area, 'batch'),
  export: actOf(area, 'export'),
} as const

/** What a change of many goods would do. */
export const batchCheck = sharedAct('POST', '/admin/goods/batch/check', acts.batch.button)

function membersOf(name: string): readonly Field[] {
  const field = acts.create.fields.find((each) => each.name === name)
  return field?.members ?? field?.item?.members ?? []
}

/** The members of goods, and of the records that belong to them, as people fill them in. */
export const fields = {
  goods: membersOf('goods'),
  specifications: membersOf('specifications'),
  products: membersOf('products'),
  attributes: membersOf('attributes'),
} as const

/** A member by its name. */
export function fieldOf(of: keyof typeof fields, name: string): Field {
  const field = fields[of].find((each) => each.name === name)
  if (!field) throw new Error(`no member ${name} of ${of}`)
  return field
}
