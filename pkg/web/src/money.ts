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

/** The amount in parts, with the cents left out where there are none and short is asked for. */
export function parts(amount: number | string, short = false): Parts {
  const cents = toCents(amount)
  const absolute = Math.abs(cents)
  const rest = absolute % 100
  return {
    sign: cents < 0 ? '−' : '',
    symbol: '¥',
    whole: String((absolute - rest) / 100),
    cents: short && rest === 0 ? '' : String(rest).padStart(2, '0'),
  }
}

/** The amount as text, such as ¥36.50. */
export function money(amount: number | string, short = false): string {
  const p = parts(amount, short)
  return p.sign + p.symbol + p.whole + (p.cents && '.' + p.cents)
}
