import type { Schema } from '@/api'

/** What to take from the shelves: a product with how many pieces for how many orders. */
export interface Pick {
  readonly productId: number
  readonly name: string
  readonly specifications: string
  readonly pieces: number
  readonly orders: number
}

/** The pieces of all orders by product, in the order of their names. */
export function picked(orders: readonly { readonly goodsVoList: readonly Schema<'orders.RowGoods'>[] }[]): Pick[] {
  const all = new Map<number, Pick>()
  for (const { goodsVoList } of orders) {
    for (const { productId, goodsName, specifications, number } of goodsVoList) {
      const before = all.get(productId)
      all.set(productId, {
        productId,
        name: goodsName,
        specifications: specifications.join(' · '),
        pieces: (before?.pieces ?? 0) + number,
        orders: (before?.orders ?? 0) + 1,
      })
    }
  }
  const byName = (a: Pick, b: Pick) => a.name.localeCompare(b.name) || a.specifications.localeCompare(b.specifications)
  return [...all.values()].sort(byName)
}
