import { money, plainAmount } from '@shop/web/money'
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import type { Query } from '@/api'

export type Sort = 'fitting' | 'newest' | 'cheap' | 'dear'

/** What a list of goods is asked for; all of it is in its address. 0, "" and an undefined price are no filter. */
export interface Filters {
  keyword: string
  category: number
  brand: number
  min: number | undefined
  max: number | undefined
  fresh: boolean
  hot: boolean
  sort: Sort
}

const sorts: Record<Sort, Pick<NonNullable<Query<'/wx/goods/list'>>, 'sort' | 'order'>> = {
  fitting: { sort: 'relevance', order: 'desc' },
  newest: { sort: 'add_time', order: 'desc' },
  cheap: { sort: 'retail_price', order: 'asc' },
  dear: { sort: 'retail_price', order: 'desc' },
}

function text(value: LocationQuery[string] | undefined): string {
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
}

function id(value: LocationQuery[string] | undefined): number {
  return /^\d{1,15}$/.test(text(value)) ? Number(text(value)) : 0
}

/** The amount that a person has typed, also with wide digits and the sign of the currency; undefined for another text. */
export function amountOf(typed: string): number | undefined {
  const plain = plainAmount(typed)
  return /^(\d{1,7}(\.\d{0,2})?|\.\d{1,2})$/.test(plain) ? Number(plain) : undefined
}

/** The order of a list that asks for none: by relevance for a word, else the newest first. */
const usual = (keyword: string): Sort => (keyword ? 'fitting' : 'newest')

/** The filters of an address; what is no filter there is ignored. */
export function filtersOf(query: LocationQuery): Filters {
  const sort = text(query.sort)
  const keyword = text(query.keyword)
  const possible = Object.hasOwn(sorts, sort) && (keyword || sort !== 'fitting')
  return {
    keyword,
    category: id(query.category),
    brand: id(query.brand),
    min: amountOf(text(query.minPrice)),
    max: amountOf(text(query.maxPrice)),
    fresh: text(query.isNew) === '1',
    hot: text(query.isHot) === '1',
    sort: possible ? (sort as Sort) : usual(keyword),
  }
}

/** The address of filters, without those that filter nothing. */
export function queryOf(f: Filters): LocationQueryRaw {
  return {
    keyword: f.keyword || undefined,
    category: f.category || undefined,
    brand: f.brand || undefined,
    minPrice: f.min,
    maxPrice: f.max,
    isNew: f.fresh ? '1' : undefined,
    isHot: f.hot ? '1' : undefined,
    sort: f.sort === usual(f.keyword) ? undefined : f.sort,
  }
}

/** The price range of filters in words, '' where there is none. */
export function rangeOf(f: Pick<Filters, 'min' | 'max'>, t: (key: string, named: Record<string, string>) => string) {
  const from = f.min === undefined ? '' : money(f.min)
  const to = f.max === undefined ? '' : money(f.max)
  if (from && to) return t('catalog.list.between', { from, to })
  if (from) return t('catalog.list.from', { from })
  return to && t('catalog.list.upTo', { to })
}

/** What the service is asked for. */
export function askOf(f: Filters): NonNullable<Query<'/wx/goods/list'>> {
  return {
    ...sorts[f.sort],
    keyword: f.keyword || undefined,
    categoryId: f.category || undefined,
    brandId: f.brand || undefined,
    minPrice: f.min,
    maxPrice: f.max,
    isNew: f.fresh || undefined,
    isHot: f.hot || undefined,
  }
}

/** How many filters beside the word are set; a range of prices is one. */
export function countOf(f: Filters): number {
  const priced = f.min !== undefined || f.max !== undefined
  return [f.category, f.brand, priced, f.fresh, f.hot].filter(Boolean).length
}
