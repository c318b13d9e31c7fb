import type { Schema } from '@/api'
import { toCents } from '@shop/web/money'

type Terms = Pick<Schema<'home.About'>, 'freightPrice' | 'freightFrom'>

/** Whether delivery costs nothing, whatever is bought, of goods that no freight template is for. */
export function alwaysFree({ freightPrice, freightFrom }: Terms): boolean {
  return toCents(freightPrice) <= 0 || toCents(freightFrom) <= 0
}

/**
 * What is missing of an amount for free delivery, 0 where there is nothing missing. Undefined where it depends on the
 * address: for goods with a template, and before the terms are known.
 */
export function missingForFree(
  amount: number,
  goods: readonly { freightId?: number }[],
  terms: Terms | undefined,
): number | undefined {
  if (!terms || !goods.length || goods.some((g) => g.freightId !== 0)) return undefined
  return alwaysFree(terms) ? 0 : Math.max(0, toCents(terms.freightFrom) - toCents(amount)) / 100
}
