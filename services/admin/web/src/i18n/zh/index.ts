import aftersale from './aftersale'
import audit from './audit'
import books from './books'
import common from './common'
import config from './config'
import goods from './goods'
import home from './home'
import list from './list'
import order from './order'
import page from './page'
import promotion from './promotion'
import record from './record'
import rich from './rich'
import rights from './rights'
import rule from './rule'
import shell from './shell'
import shopper from './shopper'

export default {
  aftersale,
  audit,
  books,
  common,
  config,
  goods,
  home,
  list,
  order,
  page,
  promotion,
  record,
  rich,
  rights,
  rule,
  shell,
  shopper,
}
