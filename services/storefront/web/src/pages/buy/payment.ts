import { useLoad } from '@shop/web/load'
import { computed, onBeforeUnmount, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { api } from '@/api'
import { useToasts } from '@shop/web/toasts'

/** How long the address of the payment is used without asking for it again. */
const freshFor = 60_000
const sandboxPath = '/wx/sandbox/h5'

/**
 * The payment of an order. The address is asked for as soon as the order is known to be unpaid, which changes nothing in
 * the order and may be repeated: so it is seen beforehand whether the sandbox is paid, and a tap leads on at once.
 */
export function usePayment(orderId: number) {
  const route = useRoute()
  const router = useRouter()
  const toasts = useToasts()
  const order = useLoad((signal) => api.get('/wx/order/detail', { orderId }, { signal }))
  const ticket = useLoad((signal) => api.post('/wx/order/h5pay', { orderId }, { signal }), { later: true })
  const leaving = ref(false)
  const result = { name: 'paid', params: { id: orderId }, query: route.query }
  let at = 0

  async function ask(): Promise<void> {
    await ticket.load()
    if (!ticket.failure.value) at = Date.now()
  }

  // Who comes back from the payment finds the order as it is now.
  watch(order.data, (detail, before) => {
    if (!detail) return
    if (!detail.orderInfo.handleOption.pay) void router.replace(result)
    else if (!before) void ask()
  })
  const seen = () => {
    leaving.value = false
    if (document.visibilityState === 'visible') void order.load()
  }
  window.addEventListener('pageshow', seen)
  document.addEventListener('visibilitychange', seen)
  onBeforeUnmount(() => {
    window.removeEventListener('pageshow', seen)
    document.removeEventListener('visibilitychange', seen)
  })

  const address = computed(() => {
    const link = ticket.data.value?.mwebUrl
    const url = link && URL.canParse(link, location.origin) ? new URL(link, location.origin) : undefined
    return url && /^https?:$/.test(url.protocol) ? url : undefined
  })
  const sandbox = computed(() => address.value?.pathname === sandboxPath)

  async function pay(): Promise<void> {
    if (leaving.value) return
    leaving.value = true
    if (Date.now() - at > freshFor) await ask()
    const why = ticket.failure.value
    if (why || !address.value) {
      leaving.value = false
      if (why) toasts.complain(why)
      return
    }
    const to = new URL(address.value)
    to.searchParams.set('redirect_url', new URL(router.resolve(result).href, location.origin).href)
    location.assign(to)
  }

  return { order, ticket, sandbox, leaving, pay, ask }
}
