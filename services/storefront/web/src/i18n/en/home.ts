import type { Same } from '@shop/web/same'
import type zh from '../zh/home'

const en: Same<typeof zh> = {
  title: 'Home',
  channels: 'Categories',
  banners: 'Highlights',
  coupons: { title: 'Coupons', more: 'More coupons' },
  groups: { title: 'Buy together', hint: 'Group of {n}', more: 'All group offers', save: 'Save {price}' },
  fresh: { title: 'New in', more: 'All new goods' },
  hot: { title: 'Popular', more: 'All popular goods' },
  brands: { title: 'Brands', more: 'All brands' },
  topics: { title: 'Stories', more: 'All stories' },
  floor: 'More: {name}',
  empty: 'The shop is being set up. Please come back soon.',
}

export default en
