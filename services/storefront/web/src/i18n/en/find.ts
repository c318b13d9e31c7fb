import type { Same } from '..'
import type zh from '../zh/find'

const en: Same<typeof zh> = {
  title: {
    category: 'Categories',
    list: 'Goods',
    search: 'Search',
    brands: 'Brands',
    brand: 'Brand',
    topics: 'Stories',
    topic: 'Story',
    groups: 'Group offers',
    group: 'Invitation to a group',
    coupons: 'Coupons',
    help: 'Help',
  },
}

export default en
