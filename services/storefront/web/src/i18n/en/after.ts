import type { Same } from '..'
import type zh from '../zh/after'

const en: Same<typeof zh> = {
  title: {
    orders: 'My orders',
    order: 'Order',
    review: 'Write a review',
    cases: 'After-sale',
    case: 'After-sale request',
  },
}

export default en
