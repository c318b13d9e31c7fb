import { speaks } from '@shop/web/answer'
import { useI18n } from 'vue-i18n'

interface Order {
  orderStatus: number
  orderStatusText: string
  owed?: boolean
  delivery?: string
}

interface Case {
  type?: number
  shipSn?: string
  arriveTime?: string | null
}

/** What the states of orders and of after-sale cases are called. */
export function useWords() {
  const { t, te, locale } = useI18n()

  /** The service's word for the state, where it is in the language of the page. */
  function orderState(order: Order): string {
    const own = `orders.state.of${special(order) || order.orderStatus}`
    return speaks(order.orderStatusText, locale.value) || !te(own) ? order.orderStatusText : t(own)
  }

  function special({ owed, orderStatus, delivery }: Order): string {
    if (owed && orderStatus === 201) return 'Delivery'
    return delivery === 'collect' && orderStatus === 301 ? 'Ready' : ''
  }

  /** An order says the state of its case alone, the case itself also what it waits for. */
  function caseState(status: number, one?: Case): string {
    const own = `aftersale.state.of${status}${one && status === 2 ? awaited(one) : ''}`
    return te(own) ? t(own) : ''
  }

  function awaited({ type, shipSn, arriveTime }: Case): string {
    if ((type === 2 || type === 3) && !shipSn && !arriveTime) return 'Goods'
    return type === 3 ? 'Exchange' : 'Refund'
  }

  function caseType(type: number): string {
    const own = `aftersale.type.of${type}`
    return te(own) ? t(own) : ''
  }
  return { orderState, caseState, caseType }
}
