import type { Answer } from '@shop/web/answer'
import { useLoad } from '@shop/web/load'
import { toCents } from '@shop/web/money'
import { computed, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '@/api'
import type { Schema } from '@/api'
import { type GuestRow, useCart } from '@/stores/cart'
import { useToasts } from '@shop/web/toasts'
import type { Basket, BasketRow } from './basket'

type Known = Map<number, Schema<'catalog.Detail'> | undefined>

/** The cart of a guest: what the browser keeps, with the prices and the stock of now. */
export function useGuestCart(): Basket {
  const { t } = useI18n()
  const cart = useCart()
  const toasts = useToasts()
  const before = new Map(cart.guest.map((r) => [r.productId, r.price]))
  const read = useLoad(async (signal): Promise<Answer<Known>> => {
    const known: Known = new Map()
    const ids = [...new Set(cart.guest.map((r) => r.goodsId))]
    const answers = await Promise.all(ids.map((id) => api.get('/wx/goods/detail', { id }, { signal })))
    for (const [i, { data, failure }] of answers.entries()) {
      if (failure && failure.kind !== 'refused') return { failure }
      known.set(ids[i] ?? 0, data)
    }
    return { data: known }
  })

  function productOf(row: GuestRow): Schema<'catalog.Product'> | undefined {
    const detail = read.data.value?.get(row.goodsId)
    return detail?.info.isOnSale ? detail.productList.find((p) => p.id === row.productId) : undefined
  }

  // What is shown now is what the next visit compares with.
  watch(read.data, () => {
    cart.changeGuest((now) => now.map((row) => ({ ...row, price: productOf(row)?.price ?? row.price })))
  })

  function troubleOf(row: GuestRow): string | undefined {
    if (!read.data.value?.has(row.goodsId)) return undefined
    const product = productOf(row)
    if (!product) return t('goods.off')
    if (product.number <= 0) return t('goods.sold')
    return product.number < row.number ? t('goods.few', { n: product.number }) : undefined
  }

  const rows = computed(() =>
    cart.guest.map((row): BasketRow => {
      const former = before.get(row.productId)
      const stock = productOf(row)?.number
      const gone = read.data.value?.has(row.goodsId) === true && !stock
      const freightId = read.data.value?.get(row.goodsId)?.info.freightId
      const { goodsId, productId, name, picUrl, specifications, price, number } = row
      return {
        ...{ goodsId, productId, name, picUrl, specifications, price, number, stock, gone, freightId },
        checked: row.checked && !gone,
        before: former === price ? undefined : former,
        trouble: troubleOf(row),
      }
    }),
  )
  const ticked = computed(() => rows.value.filter((r) => r.checked))

  function change(some: readonly BasketRow[], set: Partial<GuestRow>): void {
    const ids = new Set(some.map((r) => r.productId))
    cart.changeGuest((now) => now.map((r) => (ids.has(r.productId) ? { ...r, ...set } : r)))
  }

  function remove(some: readonly BasketRow[]): void {
    const ids = new Set(some.map((r) => r.productId))
    const gone = [...cart.guest.entries()].filter(([, row]) => ids.has(row.productId))
    if (!gone.length) return
    cart.changeGuest((now) => now.filter((r) => !ids.has(r.productId)))
    toasts.success(t('buy.cart.removed'), {
      text: t('common.form.undo'),
      act: () => {
        cart.changeGuest((now) => {
          for (const [at, row] of gone) if (!now.some((r) => r.productId === row.productId)) now.splice(at, 0, row)
          return now
        })
      },
    })
  }

  return {
    rows,
    count: computed(() => ticked.value.reduce((sum, r) => sum + r.number, 0)),
    amount: computed(() => ticked.value.reduce((sum, r) => sum + toCents(r.price) * r.number, 0) / 100),
    waiting: ref(false),
    failure: read.failure,
    busy: ref(false),
    load: read.load,
    setNumber: (row, number) => change([row], { number }),
    tick: (some, on) => change(some, { checked: on }),
    remove,
    settle: () => Promise.resolve(),
  }
}
