import { useLoad } from '@shop/web/load'
import { money, toCents } from '@shop/web/money'
import { moment, dayAndTime } from '@shop/web/time'
import { now } from '@shop/web/clock'
import { computed, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '@/api'
import type { Schema } from '@/api'

type Held = Schema<'promotion.UserCoupon'>

/** The shopper's coupons for a purchase: those that fit, and those that do not with the reason. */
export function usePurchaseCoupons(preview: Ref<Schema<'order.Preview'>>) {
  const { t, locale } = useI18n()
  const fitting = useLoad(
    (signal) => {
      const { cartId, grouponRulesId } = preview.value
      return api.get('/wx/coupon/selectlist', { cartId, grouponRulesId }, { signal })
    },
    { later: true },
  )
  const unused = useLoad((signal) => api.get('/wx/coupon/mylist', { status: 0, limit: 0 }, { signal }), {
    later: true,
  })
  const fit = computed(() => fitting.data.value?.list ?? [])
  const others = computed(() => {
    const ids = new Set(fit.value.map((c) => c.id))
    return (unused.data.value?.list ?? []).filter((c) => !ids.has(c.id)).map((c) => ({ coupon: c, why: reason(c) }))
  })

  /** The service says only which coupons fit; why another does not follows from what the coupon says of itself. */
  function reason(coupon: Held): string {
    if (moment(coupon.startTime) > now()) {
      return t('buy.coupon.notYet', { time: dayAndTime(coupon.startTime, locale.value) })
    }
    const short = toCents(coupon.min) - toCents(preview.value.goodsTotalPrice)
    if (short > 0) return t('buy.coupon.short', { by: money(short / 100, true) })
    if (!coupon.available) return t('buy.coupon.withdrawn')
    return coupon.desc ? t('buy.coupon.terms', { desc: coupon.desc }) : t('buy.coupon.otherGoods')
  }

  const failure = computed(() => fitting.failure.value ?? unused.failure.value)
  const waiting = computed(() => fitting.waiting.value || unused.waiting.value)
  const load = () => Promise.all([fitting.load(), unused.load()])
  return { fit, others, failure, waiting, load }
}
