import type { Same } from '..'
import type zh from '../zh/mine'

const en: Same<typeof zh> = {
  title: {
    groups: 'My groups',
    group: 'My group',
    coupons: 'My coupons',
    favourites: 'Favourites',
    footprints: 'Recently viewed',
    feedback: 'Feedback',
  },
}

export default en
