import type { Same } from '@shop/web/same'
import type zh from '../zh/search'

const en: Same<typeof zh> = {
  title: 'Search',
  history: 'Recent searches',
  hot: 'Popular searches',
  forget: 'Clear recent searches',
  sure: 'They cannot be brought back. Clear them?',
  yes: 'Clear',
  forgotten: 'Recent searches are cleared',
  clear: 'Clear the field',
}

export default en
