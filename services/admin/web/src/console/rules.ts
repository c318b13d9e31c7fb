import { i18n } from '@shop/web/i18n'
import { word } from '@/i18n'
import { isID } from './kinds'
import type { Field } from './shape'
import type { Value, Values } from './values'

/**
 * What is wrong with a value, in the words of the service; '' where nothing is. The service checks it again, and knows
 * more rules.
 */
export function wrong(field: Field, value: Value | undefined): string {
  const { t } = i18n.global
  const name = word(field.label)
  const { min, max } = field
  if (typeof value === 'string') {
    const text = value.trim()
    if (text === '') return field.required || field.notBlank ? t('rule.missing', { name }) : ''
    if (field.kind === 'decimal') return /^-?\d+(\.\d{1,2})?$/.test(text) ? '' : t('rule.amount', { name })
    if (field.show?.as === 'of' && !isID(text)) return t('rule.choose', { name })
    if (field.kind !== 'text') return wrongNumber(name, text, min, max)
    const length = [...text].length
    if (max !== undefined && length > max) return t('rule.long', { name, n: max })
    if (min !== undefined && length < min) return t('rule.short', { name, n: min })
    return ''
  }
  if (Array.isArray(value)) {
    if (field.required && value.length === 0) return t('rule.missing', { name })
    if (max !== undefined && value.length > max) return t('rule.many', { name, n: max })
    const item = field.item
    return (item && value.map((each) => wrong(item, each)).find(Boolean)) ?? ''
  }
  if (typeof value === 'object') return Object.values(allWrong(field.members ?? [], value)).find(Boolean) ?? ''
  return ''
}

function wrongNumber(name: string, text: string, min?: number, max?: number): string {
  const { t } = i18n.global
  if (!/^-?\d+$/.test(text)) return t('rule.number', { name })
  const number = Number(text)
  const low = min !== undefined && number < min
  const high = max !== undefined && number > max
  if (!low && !high) return ''
  if (min !== undefined && max !== undefined) return t('rule.range', { name, min, max })
  return low ? t('rule.low', { name, n: min ?? 0 }) : t('rule.high', { name, n: max ?? 0 })
}

/** What is wrong with each field; '' where nothing is. */
export function allWrong(fields: readonly Field[], values: Values): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field.name, wrong(field, values[field.name])]))
}
