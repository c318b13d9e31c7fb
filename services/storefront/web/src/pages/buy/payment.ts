import { useLoad } from '@shop/web/load'
import { computed, onBeforeUnmount, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { api } from '@/api'
import type { Schema } from '@/api'
import { useToasts } from '@shop/web/toasts'

/** How long the address of the payment is used without asking for it again. */
const freshFor = 60_000
/** How often the order is asked for while its code is shown. */
const pause = 2000
/** What this page can do: go to an address, show a code, say where to pay, and order to be paid at the door. */
const kinds = ['page', 'redirect', 'qr', 'offline', 'delivery'] as const
/** Those that lead to no other page. */
const here: readonly string[] = ['qr', 'offline', 'delivery']
export type Kind = (typeof kinds)[number]
type Channel = Schema<'order.Channel'> & { kind: Kind }
const known = (c: Schema<'order.Channel'>): c is Channel => kinds.some((kind) => kind === c.kind)

/**
 * The payment of an order by one of the shop's channels. The address of the first one is asked for as soon as the order
 * is known to be unpaid, so that a tap leads on at once. Only a tap begins a payment that is made beside this page, by a
 * code or by hand, since it ends any other and may change until when the order waits; one that has begun is shown.
 */
export function usePayment(orderId: number) {
  const route = useRoute()
  const router = useRouter()
  const toasts = useToasts()
  const order = useLoad((signal) => api.get('/wx/order/detail', { orderId }, { signal }))
  const channels = useLoad((signal) => api.get('/wx/order/channels', { orderId }, { signal }), { later: true })
  const options = computed(() => channels.data.value?.filter(known) ?? [])
  const index = ref(0)
  const chosen = computed(() => options.value[index.value])
  const aside = computed(() => here.includes(chosen.value?.kind ?? ''))
  const leaving = ref(false)
  const result = { name: 'paid', params: { id: orderId }, query: route.query }
  const returnUrl = new URL(router.resolve(result).href, location.origin).href
  // A shop without a channel for browsers answers how it is paid.
  const body = () => ({ orderId, ...(chosen.value && { channel: chosen.value.code, kind: chosen.value.kind }) })
  const there = useLoad((signal) => api.post('/wx/order/h5pay', { ...body(), returnUrl }, { signal }), { later: true })
  const ticket = useLoad((signal) => api.post('/wx/order/prepay', body(), { signal }), { later: true })
  const failure = computed(() => channels.failure.value ?? (aside.value ? ticket : there).failure.value)
  const waiting = computed(() => channels.waiting.value || (aside.value ? ticket : there).waiting.value)
  let at = 0
  let asked: Channel | undefined

  async function ask(): Promise<void> {
    if (!channels.data.value) await begin()
    else if (aside.value) await ticket.load()
    else {
      asked = chosen.value
      await there.load()
      if (!there.failure.value) at = Date.now()
    }
  }

  async function begin(): Promise<void> {
    await channels.load()
    if (!channels.data.value) return
    index.value = Math.max(
      0,
      options.value.findIndex((c) => c.current),
    )
    if (!aside.value || chosen.value?.current) await ask()
  }

  // What was said about one channel is about no other, and another one that is taken ends it.
  watch(index, () => (ticket.data.value = ticket.failure.value = undefined))

  // Who comes back from the payment finds the order as it is now.
  watch(order.data, (detail, before) => {
    if (!detail) return
    if (!detail.orderInfo.handleOption.pay) void router.replace(result)
    else if (!before) void begin()
  })
  const seen = () => {
    leaving.value = false
    if (document.visibilityState === 'visible') void order.load()
  }
  window.addEventListener('pageshow', seen)
  document.addEventListener('visibilitychange', seen)
  // Whoever scans a code pays on another device, of which this page hears nothing.
  const timer = setInterval(() => {
    if (ticket.data.value?.code && !order.loading.value && document.visibilityState === 'visible') void order.load()
  }, pause)
  onBeforeUnmount(() => {
    clearInterval(timer)
    window.removeEventListener('pageshow', seen)
    document.removeEventListener('visibilitychange', seen)
  })

  const address = computed(() => {
    const link = there.data.value?.mwebUrl
    const url = link && URL.canParse(link, location.origin) ? new URL(link, location.origin) : undefined
    return url && /^https?:$/.test(url.protocol) ? url : undefined
  })

  async function pay(): Promise<void> {
    if (leaving.value) return
    if (aside.value) {
      await ticket.load()
      if (!ticket.failure.value) await order.load() // the order may wait longer now, or be on its way
      return
    }
    leaving.value = true
    if (asked !== chosen.value || Date.now() - at > freshFor) await ask()
    const why = there.failure.value
    if (why || !address.value) {
      leaving.value = false
      if (why) toasts.error(why)
      return
    }
    location.assign(address.value)
  }

  return { order, options, index, chosen, aside, ticket, failure, waiting, leaving, pay, ask }
}
