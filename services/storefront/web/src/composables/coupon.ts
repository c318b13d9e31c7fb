import { newKey } from '@shop/web/submission'
import { isLost } from '@shop/web/answer'
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '@/api'
import { useToasts } from '@shop/web/toasts'
import { useLoginFirst } from './login'

/** Takes coupons; a guest is led to the login first. What was taken is known until the page is left. */
export function useTakeCoupon() {
  const { t } = useI18n()
  const toasts = useToasts()
  const loginFirst = useLoginFirst()
  const taken = ref(new Set<number>())
  const busy = ref(0)
  const keys = new Map<number, string>()

  async function take(couponId: number): Promise<void> {
    if (busy.value || !loginFirst()) return
    busy.value = couponId
    const key = keys.get(couponId) ?? newKey()
    keys.set(couponId, key)
    const { failure } = await api.post('/wx/coupon/receive', { couponId }, { key })
    busy.value = 0
    if (!failure || !isLost(failure)) keys.delete(couponId)
    if (failure) return toasts.error(failure)
    taken.value = new Set(taken.value).add(couponId)
    toasts.success(t('goods.coupons.taken'))
  }
  return { taken, busy, take }
}
