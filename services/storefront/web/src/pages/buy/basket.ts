import type { Failure } from '@shop/web/answer'
import type { Ref } from 'vue'

/** A row of the cart as it is shown, whether it is kept by the account or, for a guest, by the browser. */
export interface BasketRow {
  productId: number
  goodsId: number
  name: string
  picUrl: string
  specifications: readonly string[]
  price: number
  number: number
  checked: boolean
  /** The pieces that are left, where that is known. */
  stock?: number
  /** The price that was shown the last time, where it was another. */
  before?: number
  /** Whether it is not to be had at all: such a row is neither ticked nor counted. */
  gone?: boolean
  /** The template by which its delivery is charged, 0 for the settings; undefined while it is not known. */
  freightId?: number
  /** Why the row cannot be bought as it is. */
  trouble?: string
}

/** What the page of the cart shows and does. */
export interface Basket {
  rows: Readonly<Ref<readonly BasketRow[]>>
  /** Pieces and amount of what is ticked. */
  count: Readonly<Ref<number>>
  amount: Readonly<Ref<number>>
  /** Whether nothing is known yet. */
  waiting: Readonly<Ref<boolean>>
  failure: Readonly<Ref<Failure | undefined>>
  /** Whether a change is on its way, so that the amount is about to be another. */
  busy: Readonly<Ref<boolean>>
  load: () => Promise<void>
  setNumber: (row: BasketRow, number: number) => void
  tick: (rows: readonly BasketRow[], on: boolean) => void
  remove: (rows: readonly BasketRow[]) => void
  /** Ends when every change has been answered. */
  settle: () => Promise<void>
}
