import { begin } from '@shop/web/i18n'
import { beforeAll, describe, expect, it } from 'vitest'
import { wrong } from '@/console/rules'
import type { Field } from '@/console/shape'
import { changed, sent, sentAll, sentAsChange, valuesOf } from '@/console/values'
import { changedBy } from '@/plain/clash'
import { bodyOf, filledIn } from '@/plain/refer'

beforeAll(() => begin({ 'zh-CN': () => import('@/i18n/zh'), en: () => import('@/i18n/en') }, () => undefined))

const label = { zh: '名', en: 'Name' }
const field = (kind: Field['kind'], more: Partial<Field> = {}): Field => ({ name: 'a', label, kind, ...more })

describe('what a form holds', () => {
  it('is sent as the service reads it', () => {
    expect(sent(field('integer'), ' 12 ')).toBe(12)
    expect(sent(field('id'), '')).toBeUndefined()
    expect(sent(field('integer'), '1.5')).toBe('1.5') // the service says what is wrong with it
    expect(sent(field('id'), '12345678901234567890')).toBe('12345678901234567890') // not rounded
    expect(sent(field('decimal'), '0.10')).toBe('0.10')
    expect(sent(field('list', { item: field('id') }), ['1', '2'])).toEqual([1, 2])
    expect(sent(field('list', { item: field('text') }), ['', 'x'])).toEqual(['x']) // without an empty item
    expect(sentAll([field('text')], { a: '' })).toEqual({})
  })

  it('comes from a record, or from what a new one has', () => {
    const fields = [field('integer', { default: '100' })]
    expect(valuesOf(fields)).toEqual({ a: '100' })
    expect(valuesOf(fields, { a: 0 })).toEqual({ a: '0' })
    expect(valuesOf([field('boolean', { default: 'true' })])).toEqual({ a: true })
    expect(changed(fields, { a: '1' }, { a: '2' })).toEqual(fields)
  })

  it('is taken away where the service can take it away', () => {
    expect(sentAsChange(field('text'), '')).toBe('')
    expect(sentAsChange(field('id'), '')).toBe(0)
    expect(valuesOf([field('id')], { a: 0 })).toEqual({ a: '' })
    for (const stays of [field('integer'), field('decimal'), field('text', { show: { as: 'time' } })]) {
      expect(sentAsChange(stays, '')).toBeUndefined()
    }
    expect(sentAsChange(field('text', { enum: ['L1', 'L2'] }), '')).toBeUndefined()
    expect(sentAsChange(field('integer'), '0')).toBe(0)
  })

  it('is changed in the record of a request, with its version', () => {
    const fields = ['id', 'updateTime', 'name', 'roleId', 'roleIds', 'unread'].map((name) => ({
      ...field('text'),
      name,
    }))
    const act = { path: '', method: 'POST', permission: '', button: label, fields } as const
    const row = { id: 7, updateTime: 't', name: 'n', roleIds: [1] }
    expect(filledIn(act, row).map(({ name }) => name)).toEqual(['name', 'roleIds'])
    expect(filledIn(act).map(({ name }) => name)).toEqual(['name', 'roleIds', 'unread'])
    expect(bodyOf(act, row, { name: 'm' })).toEqual({ id: 7, updateTime: 't', name: 'm' })
    expect(bodyOf({ ...act, record: 'goods' }, row, { name: 'm' })).toEqual({
      goods: { id: 7, updateTime: 't', name: 'm' },
    })
  })

  it.each([
    [field('text', { required: true }), ' ', '名'],
    [field('text', { max: 2 }), '三个字', '2'],
    [field('text', { max: 2 }), '🀄🀄', ''],
    [field('integer', { min: 1, max: 9 }), '10', '9'],
    [field('integer', { min: 1, max: 9 }), '9', ''],
    [field('integer'), '1.5', '名'],
    [field('id', { show: { as: 'of', of: 'goods' } }), '壶', '名'],
    [field('id', { show: { as: 'of', of: 'goods' } }), '12', ''],
    [field('decimal'), '1.005', '名'],
    [field('decimal'), '1.50', ''],
    [field('list', { max: 1, item: field('text') }), ['a', 'b'], '1'],
  ])('is checked %#', (of, value, says) => {
    const text = wrong(of, value)
    if (says === '') expect(text).toBe('')
    else expect(text).toContain(text.includes('名') ? says : says.replace('名', 'Name'))
  })

  it('is asked about only where two have changed it differently', () => {
    const fields = ['both', 'same', 'mine', 'theirs'].map((name) => ({ ...field('text'), name }))
    const base = { both: '0', same: '0', mine: '0', theirs: '0' }
    const found = changedBy(
      fields,
      base,
      { ...base, both: '1', same: '1', mine: '1' },
      { ...base, both: '2', same: '1', theirs: '2' },
    )
    expect(found.both.map((d) => d.field.name)).toEqual(['both'])
    expect(found.theirs.map((f) => f.name)).toEqual(['theirs'])
  })
})
