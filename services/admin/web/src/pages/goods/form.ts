import { valuesOf, type Values } from '@/console/values'
import { fields, type Detail } from './goods'

// Goods as the form holds them: themselves, the groups of specifications, a variant of each combination, attributes.

/** A value of a group. The uid is its own while its text is typed, so that its variants stay. */
export interface SpecValue {
  readonly uid: string
  readonly id?: number
  text: string
  picUrl: string
}

/** A group of specifications, such as a colour. */
export interface SpecGroup {
  readonly uid: string
  name: string
  values: SpecValue[]
}

/** What is sold: a combination with a value of each group. */
export interface Variant {
  readonly id?: number
  price: string
  number: string
  url: string
  /** The stock as it was read. */
  readonly base?: number
  readonly hotMode?: number
  /** Whether new goods are not sold in this combination. */
  off?: boolean
}

/** The members of a variant that the cells of the table hold, from the left. */
export const cells = ['price', 'number'] as const

export interface Attribute {
  readonly id?: number
  name: string
  value: string
}

export interface GoodsForm {
  goods: Values
  groups: SpecGroup[]
  /** By the uids of its values. */
  variants: Record<string, Variant>
  attributes: Attribute[]
}

/** A combination: the key of its variant, and its values in the order of the groups. */
export interface Combination {
  readonly key: string
  readonly uids: readonly string[]
  readonly texts: readonly string[]
}

let last = 0

/** A name of something new in a form that nothing else in it has. */
export function newUid(): string {
  return `${Date.now().toString(36)}${(last++).toString(36)}`
}

export const newValue = (text = ''): SpecValue => ({ uid: newUid(), text, picUrl: '' })
export const newGroup = (name = ''): SpecGroup => ({ uid: newUid(), name, values: [newValue()] })

/** New goods, without groups: they have one variant. */
export function blankForm(): GoodsForm {
  return { goods: valuesOf(fields.goods), groups: [], variants: {}, attributes: [] }
}

/** Every combination of the values. Without groups it is one, without a value. */
export function combinations(groups: readonly SpecGroup[]): Combination[] {
  let all: { uids: string[]; texts: string[] }[] = [{ uids: [], texts: [] }]
  for (const { values } of groups) {
    all = all.flatMap((before) =>
      values.map(({ uid, text }) => ({ uids: [...before.uids, uid], texts: [...before.texts, text] })),
    )
  }
  return all.map(({ uids, texts }) => ({ key: uids.join(' '), uids, texts }))
}

/** The combinations that the form has a row for: of goods that are there, those that are sold. */
export function rowsOf(form: GoodsForm): Combination[] {
  const stored = Object.values(form.variants).some((variant) => variant.id !== undefined)
  const all = combinations(form.groups)
  return stored ? all.filter(({ key }) => form.variants[key]?.id !== undefined) : all
}

/** Gives every combination a variant. One that a further value was added to begins like the one without it. */
export function complete(form: GoodsForm): void {
  for (const { key, uids } of rowsOf(form)) {
    if (form.variants[key]) continue
    const { price = '', number = '', url = '' } = nearest(form, uids) ?? {}
    form.variants[key] = { price, number, url }
  }
}

/** A form to work on, with a variant of each combination. */
export function begun(start: GoodsForm): GoodsForm {
  const form = JSON.parse(JSON.stringify(start)) as GoodsForm
  complete(form)
  return form
}

/** The variant that has most of the values, and no other. */
function nearest({ variants }: GoodsForm, uids: readonly string[]): Variant | undefined {
  const all = Object.entries(variants).map(([key, variant]) => ({ own: key.split(' ').filter(Boolean), variant }))
  const fitting = all.filter(({ own }) => own.every((uid) => uids.includes(uid)))
  return fitting.sort((a, b) => b.own.length - a.own.length)[0]?.variant
}

/** What the service says about goods, as the form holds it. */
export function formOf(detail: Detail): GoodsForm {
  const groups: SpecGroup[] = []
  for (const { id, specification, value, picUrl } of detail.specifications) {
    let group = groups.find(({ name }) => name === specification)
    if (!group) groups.push((group = { uid: `g${id}`, name: specification, values: [] }))
    group.values.push({ uid: `v${id}`, id, text: value, picUrl })
  }
  const variants: Record<string, Variant> = {}
  for (const { id, specifications, price, number, url, stockBase, hotMode } of detail.products) {
    const uids = specifications.map((text, at) => groups[at]?.values.find((value) => value.text === text)?.uid ?? text)
    variants[uids.join(' ')] = {
      id,
      price: price.toFixed(2),
      number: String(number),
      url,
      base: stockBase,
      hotMode,
    }
  }
  return {
    goods: valuesOf(fields.goods, detail.goods as unknown as Record<string, unknown>),
    groups,
    variants,
    attributes: detail.attributes.map(({ id, attribute, value }) => ({ id, name: attribute, value })),
  }
}

/** New goods like others: with all that they have but their number and their stock. */
export function likeForm(detail: Detail, name: (of: string) => string): GoodsForm {
  const from = formOf(detail)
  const variants = Object.fromEntries(
    combinations(from.groups).map(({ key }): [string, Variant] => {
      const variant = from.variants[key]
      const { price = '', url = '' } = variant ?? {}
      return [key, { price, number: '', url, ...(variant ? {} : { off: true }) }]
    }),
  )
  return {
    goods: { ...from.goods, name: name(String(from.goods.name)), goodsSn: '' },
    groups: from.groups.map(({ name, uid, values }) => ({
      uid,
      name,
      values: values.map((value) => ({ uid: value.uid, text: value.text, picUrl: value.picUrl })),
    })),
    variants,
    attributes: from.attributes.map(({ name, value }) => ({ name, value })),
  }
}
