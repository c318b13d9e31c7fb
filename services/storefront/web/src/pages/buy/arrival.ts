import { isPassing, type Failure } from '@shop/web/answer'
import { computed, onBeforeUnmount, ref, shallowRef } from 'vue'
import { api } from '@/api'
import type { Schema } from '@/api'

/** How long a payment is waited for, and how often it is asked for. */
const patience = 30_000
const pause = 1500

/** Waits until the payment of an order has arrived, the order can no longer be paid, or the patience is over. */
export function useArrival(orderId: number) {
  const info = shallowRef<Schema<'order.Info'>>()
  const failure = shallowRef<Failure>()
  const waiting = ref(false)
  let control: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  /** unknown: nothing was read; open: it can still be paid; closed: it cannot, and was not. */
  const state = computed<'unknown' | 'open' | 'paid' | 'closed'>(() => {
    if (!info.value) return 'unknown'
    if (info.value.handleOption.pay) return 'open'
    return info.value.orderStatus > 200 ? 'paid' : 'closed'
  })

  async function wait(): Promise<void> {
    stop()
    const mine = (control = new AbortController())
    const end = Date.now() + patience
    waiting.value = true
    const ask = async () => {
      const answer = await api.get('/wx/order/detail', { orderId }, { signal: mine.signal })
      if (mine !== control) return
      failure.value = answer.failure
      if (answer.data) info.value = answer.data.orderInfo
      const again = answer.failure ? isPassing(answer.failure) : state.value === 'open'
      if (again && Date.now() < end) timer = setTimeout(() => void ask(), pause)
      else waiting.value = false
    }
    await ask()
  }

  function stop(): void {
    clearTimeout(timer)
    control?.abort()
    control = undefined
  }
  onBeforeUnmount(stop)
  void wait()
  return { info, failure, waiting, state, wait }
}
