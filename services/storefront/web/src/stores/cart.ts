import { newKey } from '@shop/web/submission'
import type { Answer } from '@shop/web/answer'
import { isPassing } from '@shop/web/answer'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { api, token } from '@/api'
import { sentence } from '@shop/web/failure'
import { useKept } from '@shop/web/kept'
import { addPrices } from '@/composables/prices'
import { i18n } from '@/i18n'
import { useToasts } from '@shop/web/toasts'

/** A row that a guest has chosen, with what was shown of it. It moves into the account at login. */
export interface GuestRow {
  goodsId: number
  productId: number
  number: number
  name: string
  picUrl: string
  price: number
  specifications: string[]
  checked: boolean
  /** The Idempotency-Key of its move. */
  key: string
}

export type Choice = Omit<GuestRow, 'checked' | 'key'>

/** The number in the cart, and the rows of a guest. */
export const useCart = defineStore('cart', () => {
  const kept = useKept('shop.cart', (raw) => (Array.isArray(raw) ? (raw as GuestRow[]) : []))
  const guest = kept.value
  const owned = ref(0)
  const count = computed(() => (token.value ? owned.value : guest.value.reduce((sum, r) => sum + r.number, 0)))

  async function refresh(): Promise<void> {
    if (!token.value) return
    const { data } = await api.get('/wx/cart/goodscount')
    if (data !== undefined) owned.value = data
  }

  /** Adds goods to the cart of the shopper, or keeps them for the guest. */
  async function add(choice: Choice, key: string): Promise<Answer<number>> {
    if (!token.value) {
      kept.change((rows) => {
        const row = rows.find((r) => r.productId === choice.productId)
        if (row) row.number += choice.number
        else rows.unshift({ ...choice, checked: true, key: newKey() })
        return rows
      })
      return { data: count.value }
    }
    const { goodsId, productId, number } = choice
    const answer = await api.post('/wx/cart/add', { goodsId, productId, number }, { key })
    if (!answer.failure) owned.value = answer.data
    return answer
  }

  let moving: Promise<void> | undefined

  /** Moves the rows of the guest into the account. Those that get no answer stay and are tried again. */
  function moveIn(): Promise<void> {
    moving ??= move().finally(() => (moving = undefined))
    return moving
  }

  async function move(): Promise<void> {
    const unticked: number[] = []
    // The newest goes last, since the cart of the account shows the newest first.
    for (const row of [...guest.value].reverse()) {
      const { goodsId, productId, number, key } = row
      const { failure } = await api.post('/wx/cart/add', { goodsId, productId, number }, { key })
      if (failure?.kind === 'session') return
      if (failure && isPassing(failure)) continue
      kept.change((rows) => rows.filter((r) => r.key !== key))
      if (failure) {
        useToasts().info(i18n.global.t('buy.cart.notMoved', { name: row.name, why: sentence(failure) }))
        continue
      }
      if (!row.checked) unticked.push(productId)
      addPrices({ [productId]: row.price })
    }
    if (unticked.length) await api.post('/wx/cart/checked', { productIds: unticked, isChecked: 0 })
    await refresh()
  }

  /** Ends when nothing that a guest has chosen waits for its move into the account. */
  async function settle(): Promise<void> {
    if (token.value && guest.value.length) await moveIn()
    else await moving
  }

  watch(token, (value) => {
    owned.value = 0
    if (value) void moveIn()
  })
  return { guest, changeGuest: kept.change, count, owned, refresh, add, moveIn, settle }
})
