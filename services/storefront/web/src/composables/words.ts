import { speaks } from '@shop/web/answer'
import { useI18n } from 'vue-i18n'

interface Order {
  orderStatus: number
  orderStatusText: string
}

/** What the states of orders and of after-sale cases are called. */
export function useWords() {
  const { t, te, locale } = useI18n()

  /** The service's word for the state, where it is in the language of the page. */
  function orderState(order: Order): string {
    const own = `after.state.of${order.orderStatus}`
    return speaks(order.orderStatusText, locale.value) || !te(own) ? order.orderStatusText : t(own)
  }

  function caseState(status: number): string {
    const own = `after.case.state.of${status}`
    return te(own) ? t(own) : ''
  }

  function caseType(type: number): string {
    const own = `after.case.type.of${type}`
    return te(own) ? t(own) : ''
  }
  return { orderState, caseState, caseType }
}
