import { decimals, shopCurrency } from './settings'

/** An amount in the parts that a price is written in. */
export interface Parts {
  sign: string
  symbol: string
  whole: string
  cents: string
}

/** Cents of an amount that the service has sent as a number or as text. */
export function toCents(amount: number | string): number {
  return Math.round(Number(amount) * 100)
}

const symbols = new Map<string, string>()

/** The sign of the shop's currency, such as ¥; its code where it has none. */
export function symbol(): string {
  const currency = shopCurrency()
  let sign = symbols.get(currency)
  if (sign === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    sign = format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency
    if (sign === currency) sign += '\u00a0'
    symbols.set(currency, sign)
  }
  return sign
}

/**
 * The number in an amount that a person has typed, also with wide digits, the sign of the currency, and commas between
 * thousands. A comma elsewhere stays: it may stand for decimals.
 */
export function plainAmount(typed: string): string {
  const plain = typed.normalize('NFKC').replaceAll(symbol().trim(), '').replace(/\s/g, '')
  return /^\d{1,3}(,\d{3})+(\.|$)/.test(plain) ? plain.replaceAll(',', '') : plain
}

/**
 * The amount in parts: whole with commas between thousands, the cents as the currency writes them. A currency without cents
 * has some only where an amount has.
 */
export function parts(amount: number | string): Parts {
  const cents = toCents(amount)
  const absolute = Math.abs(cents)
  const rest = absolute % 100
  return {
    sign: cents < 0 ? '−' : '',
    symbol: symbol(),
    whole: String((absolute - rest) / 100).replace(/\B(?=(\d{3})+$)/g, ','),
    cents: rest === 0 && decimals() === 0 ? '' : String(rest).padStart(2, '0'),
  }
}

/** The amount as text, such as ¥1,036.50: in one way wherever it stands, so that amounts can be compared. */
export function money(amount: number | string): string {
  const p = parts(amount)
  return p.sign + p.symbol + p.whole + (p.cents && '.' + p.cents)
}
