import { isLost } from '@shop/web/answer'
import { useSubmission } from '@shop/web/submission'
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { api } from '@/api'
import type { Schema } from '@/api'
import { useCart, type Choice } from '@/stores/cart'
import { useToasts } from '@shop/web/toasts'

const paths = {
  cancel: '/wx/order/cancel',
  refund: '/wx/order/refund',
  confirm: '/wx/order/confirm',
  delete: '/wx/order/delete',
  remind: '/wx/order/remind',
} as const

/** What a shopper does with an order once it is asked for a second time. */
export type Act = keyof typeof paths

/** Carries out what an order allows. `changed` is told when the order is no longer what was read. */
export function useOrderActs(changed: (orderId: number, act: Act, done: boolean) => void) {
  const { t } = useI18n()
  const toasts = useToasts()
  const asking = ref(false)
  const asked = ref<{ act: Act; orderId: number }>()
  const { busy, submit } = useSubmission('order.act', ({ act, orderId }: { act: Act; orderId: number }, key) =>
    api.post(paths[act], { orderId }, { key }),
  )

  /** Asks whether it is meant; a reminder changes nothing and is sent at once. */
  function ask(act: Act, orderId: number): void {
    asked.value = { act, orderId }
    if (act === 'remind') void carryOut()
    else asking.value = true
  }

  async function carryOut(): Promise<void> {
    const what = asked.value
    const answer = what && (await submit({ act: what.act, orderId: what.orderId }))
    if (!answer) return
    asking.value = false
    if (!answer.failure) toasts.success(t(`orders.act.${what.act}.done`))
    else toasts.error(answer.failure)
    if (!answer.failure || !isLost(answer.failure)) changed(what.orderId, what.act, !answer.failure)
  }
  return { asking, asked, busy, ask, carryOut }
}

/** Puts what an order had into the cart once more, as far as it can still be bought, and leads there. */
export function useRebuy() {
  const { t } = useI18n()
  const router = useRouter()
  const toasts = useToasts()
  const cart = useCart()
  /** The lines that are in the cart already: a second try after a lost answer goes on behind them. */
  const added = new Set<number>()
  const buying = ref(0)
  const { submit } = useSubmission('order.rebuy', (row: Choice, key) => cart.add(row, key))

  async function rebuy(orderId: number): Promise<void> {
    if (buying.value) return
    buying.value = orderId
    await addAll(orderId)
    buying.value = 0
  }

  async function addAll(orderId: number): Promise<void> {
    const { data, failure } = await api.get('/wx/order/detail', { orderId })
    if (failure) return toasts.error(failure)
    const gone: string[] = []
    for (const line of data.orderGoods.filter((l) => !added.has(l.id))) {
      const answer = await submit(choiceOf(line))
      if (answer?.failure?.kind === 'refused') gone.push(line.goodsName)
      else if (answer?.failure) return toasts.error(answer.failure)
      else added.add(line.id)
    }
    for (const line of data.orderGoods) added.delete(line.id)
    if (gone.length) toasts.info(t('orders.act.rebuy.gone', { names: gone.join(t('orders.comma')) }))
    if (gone.length < data.orderGoods.length) await router.push({ name: 'cart' })
  }
  return { buying, rebuy }
}

function choiceOf(line: Schema<'order.Line'>): Choice {
  const { goodsId, productId, number, goodsName: name, picUrl, price, specifications } = line
  return { goodsId, productId, number, name, picUrl, price, specifications }
}
