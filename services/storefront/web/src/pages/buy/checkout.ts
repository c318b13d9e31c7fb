import { type Failure, isLost } from '@shop/web/answer'
import { useLoad } from '@shop/web/load'
import { useSubmission } from '@shop/web/submission'
import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter, type LocationQueryValue } from 'vue-router'
import { api } from '@/api'
import type { Schema } from '@/api'
import { useDraft } from '@shop/web/draft'
import { sentence } from '@shop/web/failure'
import { useCart } from '@/stores/cart'

type Way = 'parcel' | 'collect' | 'courier'

/** What a purchase is paid with: a coupon and the shopper's copy of it. 0 is the best, -1 none. */
export interface CouponChoice {
  couponId: number
  userCouponId: number
}

interface Order extends CouponChoice {
  cartId: number
  addressId: number
  message: string
  delivery: Way
  grouponRulesId: number
  grouponLinkId: number
}

const best: CouponChoice = { couponId: 0, userCouponId: 0 }
const outOfStock = 711

function number(value: LocationQueryValue | LocationQueryValue[] | undefined): number {
  return Number(Array.isArray(value) ? value[0] : value) || 0
}

/**
 * A purchase before it is ordered: what it costs, with the address and the coupon that the shopper chooses. Members of
 * the route: cart (a row, else all that are ticked), group (an offer), link (a group to join), address.
 */
export function useCheckout() {
  const route = useRoute()
  const router = useRouter()
  const cart = useCart()
  const cartId = number(route.query.cart)
  const rule = computed(() => number(route.query.group))
  const link = computed(() => number(route.query.link))
  const addressId = computed(() => number(route.query.address))
  // What is typed and chosen survives a way to the addresses, to the login, and a reload.
  const { values: draft, forget } = useDraft(`checkout.${cartId}`, { ...best, message: '', delivery: '' })

  const preview = useLoad(async (signal) => {
    await cart.settle()
    const { couponId, userCouponId, delivery } = draft
    const chosen = { couponId, userCouponId, ...(delivery && { delivery: delivery as Way }) }
    const query = { cartId, addressId: addressId.value, grouponRulesId: rule.value, ...chosen }
    return api.get('/wx/cart/checkout', query, { signal })
  })
  watch(
    [addressId, rule, () => draft.couponId, () => draft.userCouponId, () => draft.delivery],
    () => void preview.load(),
  )

  const address = computed(() => {
    const found = preview.data.value?.checkedAddress
    return found?.id ? found : undefined
  })
  /** Why the order was not placed, until it is tried again. */
  const failure = shallowRef<Failure>()
  /** What is wrong with single rows of the cart. */
  const troubles = ref<Partial<Record<number, string>>>({})
  const submission = useSubmission('order.submit', (order: Order, key) => api.post('/wx/order/submit', order, { key }))

  function choose(coupon: CouponChoice): void {
    Object.assign(draft, coupon)
  }

  function chooseWay(code: string): void {
    draft.delivery = code
  }

  async function submit(): Promise<void> {
    const p = preview.data.value
    if (!p || submission.busy.value || preview.loading.value) return
    failure.value = undefined
    troubles.value = {}
    const answer = await submission.submit({
      cartId,
      addressId: p.addressId,
      couponId: p.couponId,
      userCouponId: p.userCouponId,
      message: draft.message.trim(),
      delivery: p.delivery as Way,
      grouponRulesId: p.grouponRulesId,
      grouponLinkId: p.grouponRulesId ? link.value : 0,
    })
    if (!answer) return
    if (answer.failure) return refused(answer.failure, p.checkedGoodsList)
    const { orderId, payed, grouponLinkId } = answer.data
    forget()
    void cart.refresh()
    await router.replace({
      name: payed ? 'paid' : 'pay',
      params: { id: orderId },
      query: grouponLinkId ? { group: grouponLinkId } : {},
    })
  }

  async function refused(why: Failure, rows: readonly Schema<'cart.Row'>[]): Promise<void> {
    failure.value = why
    if (why.errno === outOfStock) await findShort(rows)
    // After a lost answer the order may stand and the rows be gone: the same is sent again, so nothing is read anew.
    else if (!isLost(why) && why.kind !== 'session') await preview.load()
  }

  /** Asks for each row whether there are enough pieces, which a refused order does not say. */
  async function findShort(rows: readonly Schema<'cart.Row'>[]): Promise<void> {
    for (const { id, goodsId, productId, number: pieces } of rows) {
      const answer = await api.post('/wx/cart/update', { id, goodsId, productId, number: pieces })
      if (answer.failure?.kind === 'refused') troubles.value[productId] = sentence(answer.failure)
    }
  }

  /** Goes on without the group offer, or with the offer in a group of one's own. */
  function leaveGroup(keepOffer: boolean): void {
    failure.value = undefined
    const query = { ...route.query }
    delete query.link
    if (!keepOffer) delete query.group
    void router.replace({ query })
  }

  return {
    preview,
    address,
    draft,
    rule,
    link,
    choose,
    chooseWay,
    failure,
    troubles,
    busy: submission.busy,
    submit,
    leaveGroup,
  }
}

export type Checkout = ReturnType<typeof useCheckout>
