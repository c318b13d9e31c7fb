import type { Schema } from '@/api'

export type Plan = Schema<'catalog.BatchPlan'>
export type PlannedGoods = Plan['list'][number]

/** What can be changed of many goods at once. */
export const kinds = ['onSale', 'offSale', 'flags', 'category', 'price'] as const
export type Kind = (typeof kinds)[number]

/** What is filled in for a change; '' leaves a flag as it is. */
export interface Wish {
  isNew: string
  isHot: string
  categoryId: string
  by: 'amount' | 'percent'
  price: string
}

export const blankWish = (): Wish => ({ isNew: '', isHot: '', categoryId: '', by: 'amount', price: '' })

/** The members of the request; undefined where something has not been filled in yet. */
export function membersOf(kind: Kind, wish: Wish): Record<string, unknown> | undefined {
  switch (kind) {
    case 'onSale':
      return { isOnSale: true }
    case 'offSale':
      return { isOnSale: false }
    case 'category':
      return { categoryId: Number(wish.categoryId || 0) }
    case 'flags': {
      const flags = (['isNew', 'isHot'] as const).filter((name) => wish[name] !== '')
      return flags.length ? Object.fromEntries(flags.map((name) => [name, wish[name] === 'true'])) : undefined
    }
    case 'price': {
      const price = wish.price.trim().replace('−', '-').replace('%', '')
      if (!/^[-+]?\d+(\.\d{1,2})?$/.test(price)) return undefined
      return { [wish.by === 'amount' ? 'priceAmount' : 'pricePercent']: price }
    }
  }
}
