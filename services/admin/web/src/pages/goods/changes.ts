import type { Field } from '@/console/shape'
import { changed, sent, sentAll, type Values } from '@/console/values'
import { rowsOf, type GoodsForm } from './form'
import { fieldOf, fields } from './goods'

// What was changed in a form, member by member, and what the service is told of it.

/** The group and the value of goods without specifications, which have one all the same. */
export const only = { group: '规格', value: '标准' }

/** The members of a form in a list, with names, so that two forms can be compared. */
export interface Flat {
  readonly fields: readonly Field[]
  readonly values: Values
}

export function flat(form: GoodsForm): Flat {
  const all: { field: Field; value: Values[string] }[] = fields.goods.map((field) => ({
    field,
    value: form.goods[field.name] ?? '',
  }))
  const add = (
    of: 'products' | 'specifications',
    member: string,
    key: string,
    about: readonly string[],
    value: string,
  ) => {
    const field = fieldOf(of, member)
    const label = { zh: `${about.join(' / ')} · ${field.label.zh}`, en: `${about.join(' / ')} · ${field.label.en}` }
    all.push({ field: { ...field, name: `${of}.${key}.${member}`, label }, value })
  }
  for (const { values, name } of form.groups) {
    for (const { uid, text, picUrl } of values) add('specifications', 'picUrl', uid, [name, text], picUrl)
  }
  for (const { key, texts } of rowsOf(form)) {
    const variant = form.variants[key]
    if (!variant) continue
    for (const member of ['price', 'number', 'url'] as const) add('products', member, key, texts, variant[member])
  }
  const attributes = form.attributes.map(({ name, value }) => `${name}: ${value}`).join('\n')
  all.push({ field: { ...fieldOf('attributes', 'value'), name: 'attributes' }, value: attributes })
  return {
    fields: all.map(({ field }) => field),
    values: Object.fromEntries(all.map(({ field, value }) => [field.name, value])),
  }
}

/** Takes a member of another form over, by its name in flat. */
export function take(into: GoodsForm, from: GoodsForm, name: string): void {
  const [of, key = '', member] = name.split('.')
  if (of === 'attributes') into.attributes = structuredClone(from.attributes)
  else if (of === 'specifications') {
    const value = valueOf(into, key)
    if (value) value.picUrl = valueOf(from, key)?.picUrl ?? ''
  } else if (of === 'products') {
    const [mine, theirs] = [into.variants[key], from.variants[key]]
    if (mine && theirs) mine[member as 'price' | 'number' | 'url'] = theirs[member as 'price' | 'number' | 'url']
  } else into.goods[name] = from.goods[name] ?? ''
}

function valueOf(form: GoodsForm, uid: string) {
  return form.groups.flatMap(({ values }) => values).find((value) => value.uid === uid)
}

/** The members that differ between two forms of the same goods. */
export function differing(base: Flat, mine: Flat): Field[] {
  return changed(mine.fields, base.values, mine.values)
}

/** What creates goods. */
export function createBody(form: GoodsForm): object {
  const plain = form.groups.length === 0
  const specifications = form.groups.flatMap(({ name, values }) =>
    values.map(({ text, picUrl }) => ({ specification: name.trim(), value: text.trim(), picUrl })),
  )
  const products = rowsOf(form).flatMap(({ key, texts }) => {
    const variant = form.variants[key]
    if (!variant || variant.off) return []
    const { price, number, url } = variant
    return [{ specifications: plain ? [only.value] : texts.map((text) => text.trim()), ...numbers(price, number), url }]
  })
  return {
    goods: sentAll(fields.goods, form.goods),
    specifications: plain ? [{ specification: only.group, value: only.value }] : specifications,
    products,
    attributes: form.attributes.map(({ name, value }) => ({ attribute: name, value })),
  }
}

function numbers(price: string, number: string) {
  return { price: sent(fieldOf('products', 'price'), price), number: sent(fieldOf('products', 'number'), number) }
}

/** What changes goods: no more than was changed, with the state that it was changed from. */
export function updateBody(id: number, updateTime: string, base: GoodsForm, mine: GoodsForm): object {
  const names = new Set(differing(flat(base), flat(mine)).map(({ name }) => name))
  const goods = fields.goods.filter(({ name }) => names.has(name)).map((f) => [f.name, sent(f, mine.goods[f.name])])
  const specifications = mine.groups.flatMap(({ name, values }) =>
    values
      .filter(({ uid }) => names.has(`specifications.${uid}.picUrl`))
      .map((value) => ({ id: value.id, specification: name, value: value.text, picUrl: value.picUrl })),
  )
  const products = rowsOf(mine).flatMap(({ key, texts }) => {
    const variant = mine.variants[key]
    if (!variant || !['price', 'number', 'url'].some((member) => names.has(`products.${key}.${member}`))) return []
    const { id, price, number, url } = variant
    return [{ id, specifications: texts, ...numbers(price, number), url, stockBase: base.variants[key]?.base }]
  })
  return {
    goods: { id, updateTime, ...Object.fromEntries(goods) },
    ...(specifications.length ? { specifications } : {}),
    ...(products.length ? { products } : {}),
    ...(names.has('attributes') ? { attributes: attributesChanged(base, mine) } : {}),
  }
}

function attributesChanged(base: GoodsForm, mine: GoodsForm): object[] {
  const before = new Map(base.attributes.map((attribute) => [attribute.id, attribute]))
  const kept = new Set(mine.attributes.map(({ id }) => id))
  const gone = base.attributes.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ id, deleted: true }))
  const now = mine.attributes.flatMap(({ id, name, value }) => {
    const was = before.get(id)
    if (was?.name === name && was.value === value) return []
    return [{ ...(was ? { id } : {}), attribute: name, value }]
  })
  return [...gone, ...now]
}
