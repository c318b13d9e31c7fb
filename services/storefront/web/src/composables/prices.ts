const place = 'shop.prices'

/** Prices by product. */
export type Prices = Partial<Record<number, number>>

/** The prices that the shopper was shown last in the cart. The service knows only those of now. */
export function shownPrices(): Prices {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Prices
  } catch {
    return {}
  }
}

/** Keeps the prices of some products beside those of the others. */
export function addPrices(prices: Prices): void {
  keepPrices({ ...shownPrices(), ...prices })
}

/** Keeps the prices that are shown now, in place of all others. */
export function keepPrices(prices: Prices): void {
  localStorage.setItem(place, JSON.stringify(prices))
}
