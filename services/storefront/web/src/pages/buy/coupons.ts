import { useLoad } from '@shop/web/load'
import { money } from '@shop/web/money'
import { dayAndTime } from '@shop/web/time'
import { computed, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { api } from '@/api'
import type { Schema } from '@/api'

type Owned = Schema<'promotion.UserCoupon'>

/** The shopper's coupons for a purchase: those that fit, and those that do not with the reason. */
export function usePurchaseCoupons(preview: Ref<Schema<'order.Preview'>>) {
  const { t, locale } = useI18n()
  const { data, failure, waiting, load } = useLoad(
    (signal) => {
      const { cartId, grouponRulesId } = preview.value
      return api.get('/wx/coupon/selectlist', { cartId, grouponRulesId, all: true }, { signal })
    },
    { later: true },
  )
  const fit = computed(() => (data.value?.list ?? []).filter((c) => !c.reason))
  const others = computed(() =>
    (data.value?.list ?? []).filter((c) => c.reason).map((c) => ({ coupon: c, why: sentenceOf(c) })),
  )

  function sentenceOf(coupon: Owned): string {
    switch (coupon.reason) {
      case 'early':
        return t('buy.coupon.notYet', { time: dayAndTime(coupon.startTime, locale.value) })
      case 'minimum':
        return t('buy.coupon.short', { by: money(coupon.missing ?? 0) })
      case 'withdrawn':
        return t('buy.coupon.withdrawn')
      default:
        return coupon.desc ? t('buy.coupon.terms', { desc: coupon.desc }) : t('buy.coupon.otherGoods')
    }
  }
  return { fit, others, failure, waiting, load }
}
