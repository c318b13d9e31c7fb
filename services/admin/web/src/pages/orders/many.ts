import { sentence } from '@shop/web/failure'
import { isLost } from '@shop/web/answer'
import { computed, ref, shallowRef } from 'vue'
import { call } from '@/console/call'
import { findOrders } from './lookup'
import { acts } from './order'
import { type Given, keyOf, plan, type Planned } from './shipping'

/** What has become of a row: '' while it waits, 'done', or why the service refused it. */
export interface Outcome {
  readonly done: boolean
  readonly why: string
}

/** Ships many orders: a dry run first, then one after the other, each at most once. */
export function useShipMany() {
  const planned = shallowRef<readonly Planned[]>()
  const outcomes = shallowRef<ReadonlyMap<number, Outcome>>(new Map())
  const state = ref<'idle' | 'checking' | 'shipping' | 'done'>('idle')
  const ready = computed(() => (planned.value ?? []).filter((row) => row.problem === ''))
  const shipped = computed(() => [...outcomes.value.values()].filter(({ done }) => done).length)
  let stopped = false

  /** Looks up what the rows name, and says what will happen with each. */
  async function check(rows: readonly Given[]): Promise<void> {
    state.value = 'checking'
    outcomes.value = new Map()
    const { found, unread } = await findOrders(rows.map(({ sn }) => sn))
    planned.value = plan(rows, found, unread)
    state.value = 'idle'
  }

  /** Ships the rows in which nothing is wrong, and those again that failed. */
  async function ship(): Promise<void> {
    state.value = 'shipping'
    stopped = false
    for (const { line, order, carrier, number } of ready.value) {
      if (stopped || !order || outcomes.value.get(line)?.done) continue
      const body = { orderId: order.id, shipChannel: carrier, shipSn: number }
      const key = keyOf(order.id, carrier, number)
      let answer = await call(acts.ship, body, { key })
      if (answer.failure && isLost(answer.failure)) answer = await call(acts.ship, body, { key })
      const outcome = { done: !answer.failure, why: answer.failure ? sentence(answer.failure) : '' }
      outcomes.value = new Map(outcomes.value).set(line, outcome)
    }
    state.value = 'done'
  }

  const stop = () => (stopped = true)

  function reset(): void {
    planned.value = undefined
    outcomes.value = new Map()
    state.value = 'idle'
  }
  return { planned, outcomes, state, ready, shipped, check, ship, stop, reset }
}
