import { expect, it } from 'vitest'
import { membersOf, blankWish } from '@/pages/goods/batch'
import { createBody, differing, flat, take, updateBody } from '@/pages/goods/changes'
import { faultsOf } from '@/pages/goods/faults'
import { blankForm, complete, formOf, likeForm, newValue, rowsOf, type GoodsForm } from '@/pages/goods/form'
import type { Detail } from '@/pages/goods/goods'
import { pastedCells } from '@/pages/goods/grid'
import { lost, makeEditor, stored } from '@/pages/rich/rich'

const stamps = { addTime: null, updateTime: '2030-01-02 12:00:00', deleted: false }
const product = (id: number, specifications: string[]) => {
  return { id, goodsId: 1, specifications, price: 20, number: 5, url: '', stockBase: 5, hotMode: 0, ...stamps }
}
const value = (id: number, specification: string, text: string) => {
  return { id, goodsId: 1, specification, value: text, picUrl: '', ...stamps }
}
/** Goods in two colours and sizes, of which the white ones are not made in L. */
const detail = {
  goods: { id: 1, name: '衬衫', goodsSn: 'A', gallery: ['/a.png'], isOnSale: true, counterPrice: 30, ...stamps },
  specifications: [value(1, '颜色', '黑'), value(2, '尺码', 'M'), value(3, '颜色', '白'), value(4, '尺码', 'L')],
  products: [product(1, ['黑', 'M']), product(2, ['黑', 'L']), product(3, ['白', 'M'])],
  attributes: [
    { id: 1, goodsId: 1, attribute: '材质', value: '棉', ...stamps },
    { id: 2, goodsId: 1, attribute: '产地', value: '沪', ...stamps },
  ],
  categoryIds: [],
} as unknown as Detail
const texts = (form: GoodsForm) => rowsOf(form).map((row) => row.texts.join('/'))
const copy = (form: GoodsForm) => JSON.parse(JSON.stringify(form)) as GoodsForm

it('has a row of each combination, and keeps those that are filled', () => {
  const form = blankForm()
  complete(form)
  expect(texts(form)).toEqual([''])
  form.groups.push({ uid: 'g', name: '颜色', values: [newValue('黑'), newValue('白')] })
  complete(form)
  const [black, white] = rowsOf(form)
  Object.assign(form.variants[black?.key ?? ''] ?? {}, { price: '10', number: '1' })
  Object.assign(form.variants[white?.key ?? ''] ?? {}, { price: '12', number: '2' })

  form.groups.push({ uid: 'h', name: '尺码', values: [newValue('M'), newValue('L')] })
  complete(form)
  expect(texts(form)).toEqual(['黑/M', '黑/L', '白/M', '白/L'])
  expect(rowsOf(form).map(({ key }) => form.variants[key]?.price)).toEqual(['10', '10', '12', '12'])
  form.groups[0]?.values.push(newValue('红'))
  const first = form.groups[0]?.values[0]
  if (first) first.text = '墨'
  complete(form)
  expect(texts(form)[0]).toBe('墨/M')
  expect(rowsOf(form).map(({ key }) => form.variants[key]?.price)).toEqual(['10', '10', '12', '12', '', ''])
})

it('shows the combinations that are sold, and copies the others as left out', () => {
  expect(texts(formOf(detail))).toEqual(['黑/M', '黑/L', '白/M'])
  const like = likeForm(detail, (name) => `${name}2`)
  expect(like.goods).toMatchObject({ name: '衬衫2', goodsSn: '' })
  expect(rowsOf(like).map(({ key }) => like.variants[key]?.off ?? false)).toEqual([false, false, false, true])
  expect(createBody(like)).toMatchObject({ products: [{ price: '20.00' }, {}, { specifications: ['白', 'M'] }] })
  expect(JSON.stringify(createBody(like))).not.toMatch(/"id"|stockBase/)
})

it('gives goods without specifications one all the same', () => {
  const form = blankForm()
  complete(form)
  Object.assign(form.variants[''] ?? {}, { price: '9.9', number: '3' })
  expect(createBody(form)).toMatchObject({
    specifications: [{ specification: '规格', value: '标准' }],
    products: [{ specifications: ['标准'], price: '9.9', number: 3 }],
  })
})

it('sends what was changed and nothing else', () => {
  const base = formOf(detail)
  const mine = copy(base)
  expect(updateBody(1, 't', base, mine)).toEqual({ goods: { id: 1, updateTime: 't' } })
  mine.goods.name = '罩衫'
  const [, second] = rowsOf(mine)
  Object.assign(mine.variants[second?.key ?? ''] ?? {}, { number: '8' })
  mine.attributes = [
    { id: 2, name: '产地', value: '苏' },
    { name: '重量', value: '1kg' },
  ]
  expect(differing(flat(base), flat(mine)).map(({ label }) => label.zh)).toEqual([
    '名称',
    '黑 / L · 数量',
    expect.any(String),
  ])
  expect(updateBody(1, 't', base, mine)).toEqual({
    goods: { id: 1, updateTime: 't', name: '罩衫' },
    products: [{ id: 2, specifications: ['黑', 'L'], price: '20.00', number: 8, url: '', stockBase: 5 }],
    attributes: [
      { id: 1, deleted: true },
      { id: 2, attribute: '产地', value: '苏' },
      { attribute: '重量', value: '1kg' },
    ],
  })
})

it('takes over what somebody else has changed', () => {
  const mine = formOf(detail)
  const theirs = copy(mine)
  const key = rowsOf(theirs)[0]?.key ?? ''
  Object.assign(theirs.variants[key] ?? {}, { price: '25.00' })
  theirs.goods.unit = '双'
  theirs.attributes = []
  for (const { name } of differing(flat(mine), flat(theirs))) take(mine, theirs, name)
  expect(mine).toEqual(theirs)
})

it('says what is wrong', () => {
  const form = likeForm(detail, (name) => name)
  const { goodsSn, products, specifications, name } = faultsOf(form)
  expect([goodsSn, products, specifications, name].map(Boolean)).toEqual([true, true, false, false])
  for (const variant of Object.values(form.variants)) variant.off = true
  form.groups[0]?.values.push(newValue('黑'))
  expect(faultsOf(form).specifications).not.toBe('')
  expect(faultsOf(form).products).not.toBe('')
})

it('reads what many goods are changed to', () => {
  const wish = { ...blankWish(), price: '−5%' }
  expect(membersOf('price', { ...wish, by: 'percent' })).toEqual({ pricePercent: '-5' })
  expect(membersOf('price', { ...wish, price: '0.005' })).toBeUndefined()
  expect(membersOf('flags', wish)).toBeUndefined()
  expect(membersOf('flags', { ...wish, isHot: 'false' })).toEqual({ isHot: false })
  expect(membersOf('category', wish)).toEqual({ categoryId: 0 })
})

it('reads the cells of a spreadsheet', () => {
  const paste = (text: string) => {
    const event = new Event('paste', { cancelable: true })
    Object.assign(event, { clipboardData: { getData: () => text } })
    return pastedCells(event as ClipboardEvent)
  }
  expect(paste('9.9')).toBeUndefined()
  expect(paste('9.9\t5\r\n10\t6\r\n')).toEqual([
    ['9.9', '5'],
    ['10', '6'],
  ])
})

it('stores markup of the editor, and says what it would lose', () => {
  expect(
    stored('<p data-align="center">a</p><table style="x"><colgroup><col></colgroup><tbody></tbody></table><p></p>'),
  ).toMatch(/^<p style="text-align: center">a<\/p><table.*<\/table>$/)
  expect(stored('<p></p>')).toBe('')
  const element = document.createElement('div')
  const editor = makeEditor({
    element,
    id: 'x',
    label: 'x',
    text: '<p>a</p>',
    changed: () => undefined,
    pictures: () => undefined,
  })
  expect(lost('<div><b>a</b><i>b</i></div><h3>c</h3>', editor)).toEqual(['strong', 'em', 'h3'])
  editor.commands.setContent('<p><b>a</b><i>b</i></p><h3>c</h3>')
  expect(lost('<div><b>a</b><i>b</i></div><h3>c</h3>', editor)).toEqual([])
  expect(lost('<p>a<sub>2</sub></p><dl><dt>b</dt></dl>', editor)).toEqual(['sub', 'dl', 'dt'])
  editor.destroy()
})
