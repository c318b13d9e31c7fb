import { beforeEach, describe, expect, it } from 'vitest'
import { marked } from '@/composables/suggest'
import { amountOf, askOf, countOf, filtersOf, queryOf } from '@/pages/catalog/filters'
import { forget, guestWords, remember } from '@/pages/search/words'

describe('the filters of a list', () => {
  it('are read from its address', () => {
    const query = { keyword: ' 杯 ', category: '7', brand: '3', minPrice: '19.90', isNew: '1', sort: 'dear' }
    expect(filtersOf(query)).toStrictEqual({
      keyword: '杯',
      category: 7,
      brand: 3,
      min: 19.9,
      max: undefined,
      fresh: true,
      hot: false,
      sort: 'dear',
    })
  })

  it('are none where the address has nonsense', () => {
    const none = filtersOf({})
    expect(filtersOf({ category: 'x', brand: '-1', isHot: 'yes', sort: 'constructor', keyword: [null] })).toEqual(none)
    expect(filtersOf({ minPrice: 'cheap', maxPrice: '-1' })).toEqual(none)
    expect(countOf(none)).toBe(0)
    expect(askOf(none)).toMatchObject({ sort: 'add_time', order: 'desc', categoryId: undefined, isNew: undefined })
  })

  it('come back from the address that they make', () => {
    const filters = filtersOf({
      keyword: '灯',
      category: '2',
      minPrice: '0',
      maxPrice: '99.50',
      isHot: '1',
      sort: 'cheap',
    })
    const query = Object.fromEntries(
      Object.entries(queryOf(filters)).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])),
    )
    expect(filtersOf(query)).toEqual(filters)
    expect(Object.values(queryOf(filtersOf({}))).every((v) => v === undefined)).toBe(true)
  })

  it('order what a word finds by relevance, and nothing else', () => {
    const word = filtersOf({ keyword: '杯' })
    expect(askOf(word)).toMatchObject({ sort: 'relevance' })
    expect(queryOf(word).sort).toBeUndefined()
    expect(queryOf({ ...word, sort: 'newest' }).sort).toBe('newest')
    expect(filtersOf({ keyword: '杯', sort: 'newest' }).sort).toBe('newest')
    expect(filtersOf({ sort: 'fitting' }).sort).toBe('newest')
  })

  it('ask for a range of prices, which counts as one of them', () => {
    const range = filtersOf({ minPrice: '20', maxPrice: '60.5' })
    expect(askOf(range)).toMatchObject({ minPrice: 20, maxPrice: 60.5 })
    expect(countOf(range)).toBe(1)
    expect(countOf(filtersOf({ maxPrice: '0', brand: '3' }))).toBe(2)
  })
})

describe('an amount', () => {
  it.each([
    ['20', 20],
    [' 19.90 ', 19.9],
    ['.5', 0.5],
    ['5.', 5],
    ['￥２０', 20],
    ['9999999.99', 9_999_999.99],
  ])('is read from %j', (typed, amount) => expect(amountOf(typed)).toBe(amount))

  it.each(['', ' ', '.', '-1', '1e3', '1,5', '1.005', '10000000', 'NaN', '二十'])('is not %j', (typed) =>
    expect(amountOf(typed)).toBeUndefined(),
  )
})

describe('the words of a guest', () => {
  beforeEach(forget)

  it('are kept once each, the newest first, and not without end', () => {
    for (let n = 0; n < 25; n++) remember(`w${n}`)
    remember('w20')
    expect(guestWords.value.length).toBe(20)
    expect(guestWords.value.slice(0, 2)).toEqual(['w20', 'w24'])
    forget()
    expect(guestWords.value).toEqual([])
  })
})

describe('what was typed', () => {
  it('is marked in a suggestion, in any case', () => {
    expect(marked('Tea and tea', 'TEA')).toEqual(['', 'Tea', ' and ', 'tea', ''])
    expect(marked('春茶', '茶')).toEqual(['春', '茶', ''])
    expect(marked('春茶', '酒')).toEqual(['春茶'])
    expect(marked('春茶', ' ')).toEqual(['春茶'])
    expect(marked('tea pot (100%)', ' POT  tea (100%) ')).toEqual(['', 'tea', ' ', 'pot', ' ', '(100%)', ''])
  })
})
