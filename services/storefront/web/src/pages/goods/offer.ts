import { toCents } from '@shop/web/money'

/** What a piece costs in a group, for the answers that state the price and the discount apart. */
export function groupPrice(price: number, discount: number): number {
  return Math.max(0, toCents(price) - toCents(discount)) / 100
}
