import { i18n } from '@shop/web/i18n'
import { allWrong, wrong } from '@/console/rules'
import { word } from '@/i18n'
import { type GoodsForm, rowsOf, type Variant } from './form'
import { fieldOf, fields } from './goods'

/** What is wrong with a cell of a variant; '' where nothing is, or where it is not sold. */
export function wrongCell(variant: Variant, member: 'price' | 'number'): string {
  return variant.off ? '' : wrong(fieldOf('products', member), variant[member])
}

/** What is wrong in a form, by the members of goods and the three lists; '' where nothing is. */
export function faultsOf(form: GoodsForm): Record<string, string> {
  return {
    ...allWrong(fields.goods, form.goods),
    specifications: wrongGroups(form),
    products: wrongVariants(form),
    attributes: wrongAttributes(form),
  }
}

function wrongGroups({ groups }: GoodsForm): string {
  const { t } = i18n.global
  const names = groups.map(({ name }) => name.trim())
  if (names.includes('')) return t('goods.fault.groupName')
  if (new Set(names).size < names.length) return t('goods.fault.groupTwice')
  for (const { name, values } of groups) {
    const texts = values.map(({ text }) => text.trim())
    if (texts.length === 0 || texts.includes('')) return t('goods.fault.value', { name })
    const twice = texts.find((text, at) => texts.indexOf(text) < at)
    if (twice !== undefined) return t('goods.fault.valueTwice', { name, value: twice })
  }
  return ''
}

function wrongVariants(form: GoodsForm): string {
  const { t } = i18n.global
  const sold = rowsOf(form).flatMap(({ key, texts }) => {
    const variant = form.variants[key]
    return variant && !variant.off ? [{ variant, texts }] : []
  })
  if (sold.length === 0) return t('goods.fault.none')
  const most = 1000
  if (sold.length > most) return t('rule.many', { name: t('goods.variants.title'), n: most })
  for (const { variant, texts } of sold) {
    const why = wrongCell(variant, 'price') || wrongCell(variant, 'number')
    if (why) return texts.length ? t('goods.fault.variant', { name: texts.join(' / '), why }) : why
  }
  return ''
}

function wrongAttributes({ attributes }: GoodsForm): string {
  const { t } = i18n.global
  const blank = attributes.some(({ name, value }) => name.trim() === '' || value.trim() === '')
  const name = word(fieldOf('attributes', 'attribute').label)
  return blank ? t('rule.missing', { name }) : ''
}
