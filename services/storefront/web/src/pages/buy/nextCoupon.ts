import { useLoad } from '@shop/web/load'
import { toCents } from '@shop/web/money'
import { watchDebounced } from '@vueuse/core'
import { computed, type Ref } from 'vue'
import { api } from '@/api'
import type { Schema } from '@/api'

type Owned = Pick<Schema<'promotion.UserCoupon'>, 'discount' | 'missing' | 'reason'>

/** Of the coupons whose minimum the goods do not reach, the nearest that takes off more than any that can be used now. */
export function nextCoupon(coupons: readonly Owned[]): { missing: string; discount: string } | undefined {
  const now = Math.max(0, ...coupons.filter((c) => !c.reason).map((c) => toCents(c.discount)))
  return coupons
    .flatMap(({ reason, missing, discount }) => (reason === 'minimum' && missing ? [{ missing, discount }] : []))
    .filter((c) => toCents(c.discount) > now)
    .sort((a, b) => toCents(a.missing) - toCents(b.missing) || toCents(b.discount) - toCents(a.discount))[0]
}

/** The next coupon for what is ticked in the cart of the account, which costs `amount`. */
export function useNextCoupon(amount: Readonly<Ref<number>>) {
  const { data, load } = useLoad((signal) => api.get('/wx/coupon/selectlist', { cartId: 0, all: true }, { signal }), {
    later: true,
  })
  watchDebounced(amount, () => void (amount.value > 0 && load()), { debounce: 300, immediate: true })
  return computed(() => (amount.value > 0 ? nextCoupon(data.value?.list ?? []) : undefined))
}
