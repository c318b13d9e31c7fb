/** A large number as people write it in their language, such as 1.5万 or 15.4K; a small one whole. */
export function count(n: number, language: string): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(n)
}

/** The number in a text of staff, such as 15.4k, as people of that language write it. A text of another kind stays. */
export function written(text: string, language: string): string {
  const [, digits, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kw万]?)\s*$/i.exec(text) ?? []
  if (digits === undefined) return text
  const times = unit?.toLowerCase() === 'k' ? 1000 : unit ? 10_000 : 1
  return count(Math.round(Number(digits) * times), language)
}

/** By how many whole percent a price is lower than a former one; 0 where it is less than 5, which is not worth saying. */
export function percentOff(price: number, was: number): number {
  const off = was > price ? Math.floor(((was - price) * 100) / was + 1e-9) : 0
  return off < 5 ? 0 : off
}
