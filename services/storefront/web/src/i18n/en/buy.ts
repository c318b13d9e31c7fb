import type { Same } from '..'
import type zh from '../zh/buy'

const en: Same<typeof zh> = {
  title: { cart: 'Cart', checkout: 'Checkout', pay: 'Payment', paid: 'Payment' },
}

export default en
