import type { Schema } from '@/api'

const place = 'shop.seen'
const most = 12

/** Goods that were looked at in this browser. Prices are not kept: they change. */
export type Seen = Pick<Schema<'catalog.Info'>, 'id' | 'name' | 'picUrl'>

/** The goods looked at before, the latest first. */
export function seenGoods(): Seen[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? (kept as Seen[]).filter((g) => g.id > 0 && g.name) : []
  } catch {
    return []
  }
}

/** Remembers that goods were looked at. */
export function see({ id, name, picUrl }: Seen): void {
  const others = seenGoods().filter((g) => g.id !== id)
  try {
    localStorage.setItem(place, JSON.stringify([{ id, name, picUrl }, ...others].slice(0, most)))
  } catch {
    // The storage of the browser is full or closed: nothing else depends on it.
  }
}

/** Forgets the goods, as at the end of a login. */
export function forgetSeen(): void {
  localStorage.removeItem(place)
}
