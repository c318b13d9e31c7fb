import { type Answer, isLost } from '@shop/web/answer'
import { useLoad } from '@shop/web/load'
import { newKey } from '@shop/web/submission'
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '@/api'
import type { Schema } from '@/api'
import { sentence } from '@shop/web/failure'
import { keepPrices, shownPrices } from '@/composables/prices'
import { useCart } from '@/stores/cart'
import { useToasts } from '@shop/web/toasts'
import type { Basket, BasketRow } from './basket'

/** How long the steps of a number are gathered before they are sent. */
const pause = 350

interface Wish {
  number?: number
  checked?: boolean
}

/**
 * The cart of the account. A change is shown at once and sent in the order of the taps; the amounts are those of the
 * service.
 */
export function useOwnCart(): Basket {
  const { t } = useI18n()
  const cart = useCart()
  const toasts = useToasts()
  const read = useLoad(async (signal) => {
    await cart.settle()
    return api.get('/wx/cart/index', undefined, { signal })
  })
  const wishes = shallowRef(new Map<number, Wish>())
  const troubles = shallowRef(new Map<number, string>())
  const pending = ref(0)
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const before = shownPrices()
  let line = Promise.resolve()

  watch(read.data, (data) => {
    if (!data) return
    cart.owned = data.cartTotal.goodsCount
    keepPrices(Object.fromEntries(data.cartList.map((r) => [r.productId, r.price])))
  })

  const rows = computed(() =>
    (read.data.value?.cartList ?? []).map((row): BasketRow => {
      const former = before[row.productId]
      return {
        productId: row.productId,
        goodsId: row.goodsId,
        name: row.goodsName,
        picUrl: row.picUrl,
        specifications: row.specifications,
        price: row.price,
        number: row.number,
        checked: row.checked,
        ...wishes.value.get(row.productId),
        stock: row.stock,
        freightId: row.freightId,
        before: former === row.price ? undefined : former,
        trouble: troubles.value.get(row.productId) ?? shortOf(row),
      }
    }),
  )

  function shortOf({ stock, number }: Schema<'cart.Row'>): string | undefined {
    if (stock <= 0) return t('goods.sold')
    return stock < number ? t('goods.few', { n: stock }) : undefined
  }

  function wish(productId: number, value: Wish): void {
    wishes.value = new Map(wishes.value).set(productId, { ...wishes.value.get(productId), ...value })
  }

  function granted(productId: number, value: Wish): void {
    const left = { ...wishes.value.get(productId) }
    if (left.number === value.number) delete left.number
    if (left.checked === value.checked) delete left.checked
    const all = new Map(wishes.value)
    if (left.number === undefined && left.checked === undefined) all.delete(productId)
    else all.set(productId, left)
    wishes.value = all
  }

  function blame(productId: number, why?: string): void {
    const all = new Map(troubles.value)
    if (why) all.set(productId, why)
    else all.delete(productId)
    troubles.value = all
  }

  function inLine(act: () => Promise<void>): Promise<void> {
    pending.value++
    line = line.then(act).finally(() => pending.value--)
    return line
  }

  function take(answer: Answer<Schema<'cart.Cart'>>): boolean {
    if (answer.failure) toasts.error(answer.failure)
    else read.data.value = answer.data
    return !answer.failure
  }

  async function sendNumber(productId: number): Promise<void> {
    const number = wishes.value.get(productId)?.number
    const row = read.data.value?.cartList.find((r) => r.productId === productId)
    if (number === undefined || !row) return
    const { failure } = await api.post('/wx/cart/update', { id: row.id, goodsId: row.goodsId, productId, number })
    blame(productId, failure?.kind === 'refused' ? sentence(failure) : undefined)
    if (failure && failure.kind !== 'refused') toasts.error(failure)
    if (!failure || !isLost(failure)) await read.load()
    granted(productId, { number })
  }

  function setNumber(row: BasketRow, number: number): void {
    if (number === row.number) return
    const { productId } = row
    wish(productId, { number })
    clearTimeout(timers.get(productId))
    timers.set(
      productId,
      setTimeout(() => go(productId), pause),
    )
  }

  function go(productId: number): void {
    clearTimeout(timers.get(productId))
    timers.delete(productId)
    void inLine(() => sendNumber(productId))
  }

  function tick(some: readonly BasketRow[], on: boolean): void {
    const ids = some.map((r) => r.productId)
    if (!ids.length) return
    for (const id of ids) wish(id, { checked: on })
    void inLine(async () => {
      take(await api.post('/wx/cart/checked', { productIds: ids, isChecked: on ? 1 : 0 }))
      for (const id of ids) granted(id, { checked: on })
    })
  }

  function remove(some: readonly BasketRow[]): void {
    void inLine(async () => {
      if (!take(await api.post('/wx/cart/delete', { productIds: some.map((r) => r.productId) }))) return
      for (const { productId } of some) granted(productId, wishes.value.get(productId) ?? {})
      toasts.success(t('buy.cart.removed'), {
        text: t('common.form.undo'),
        act: () => void inLine(() => putBack(some)),
      })
    })
  }

  /** Puts rows back, the undermost first, since the newest stands first. */
  async function putBack(some: readonly BasketRow[]): Promise<void> {
    for (const row of [...some].reverse()) {
      const { goodsId, productId, number } = row
      const { failure } = await api.post('/wx/cart/add', { goodsId, productId, number }, { key: newKey() })
      if (failure) toasts.error(failure)
      else if (!row.checked) await api.post('/wx/cart/checked', { productIds: [productId], isChecked: 0 })
    }
    await read.load()
    await cart.refresh()
  }

  function settle(): Promise<void> {
    for (const id of timers.keys()) go(id)
    return line
  }
  onBeforeUnmount(() => void settle())

  return {
    rows,
    count: computed(() => read.data.value?.cartTotal.checkedGoodsCount ?? 0),
    amount: computed(() => read.data.value?.cartTotal.checkedGoodsAmount ?? 0),
    waiting: read.waiting,
    failure: read.failure,
    busy: computed(() => pending.value > 0 || wishes.value.size > 0),
    load: read.load,
    setNumber,
    tick,
    remove,
    settle,
  }
}
