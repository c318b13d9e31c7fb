import { newKey } from '@shop/web/submission'
import type { Answer } from '@shop/web/answer'
import { isLost } from '@shop/web/answer'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { api, token } from '@/api'

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

const place = 'shop.cart'

/** The number in the cart, and the rows of a guest. */
export const useCart = defineStore('cart', () => {
  const guest = ref<GuestRow[]>(stored())
  const owned = ref(0)
  const count = computed(() => (token.value ? owned.value : guest.value.reduce((sum, r) => sum + r.number, 0)))
  watch(guest, (rows) => localStorage.setItem(place, JSON.stringify(rows)), { deep: true })

  async function refresh(): Promise<void> {
    if (!token.value) return
    const { data } = await api.get('/wx/cart/goodscount')
    if (data !== undefined) owned.value = data
  }

  /** Adds goods to the cart of the shopper, or keeps them for the guest. */
  async function add(choice: Choice, key: string): Promise<Answer<number>> {
    if (!token.value) {
      const row = guest.value.find((r) => r.productId === choice.productId)
      if (row) row.number += choice.number
      else guest.value.unshift({ ...choice, checked: true, key: newKey() })
      return { data: count.value }
    }
    const { goodsId, productId, number } = choice
    const answer = await api.post('/wx/cart/add', { goodsId, productId, number }, { key })
    if (!answer.failure) owned.value = answer.data
    return answer
  }

  /** Moves the rows of the guest into the account. Those that get no answer stay and are tried again. */
  async function moveIn(): Promise<void> {
    for (const row of [...guest.value]) {
      const { goodsId, productId, number, key } = row
      const { failure } = await api.post('/wx/cart/add', { goodsId, productId, number }, { key })
      if (!failure || !(isLost(failure) || failure.kind === 'session')) {
        guest.value = guest.value.filter((r) => r.key !== key)
      }
    }
    await refresh()
  }

  watch(token, (value) => {
    owned.value = 0
    if (value) void moveIn()
  })
  return { guest, count, owned, refresh, add, moveIn }
})

function stored(): GuestRow[] {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '[]') as GuestRow[]
  } catch {
    return []
  }
}
