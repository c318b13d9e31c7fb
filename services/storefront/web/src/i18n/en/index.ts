import common from './common'
import home from './home'
import goods from './goods'
import catalog from './catalog'
import search from './search'
import content from './content'
import promotion from './promotion'
import buy from './buy'
import orders from './orders'
import aftersale from './aftersale'
import account from './account'

export default { common, home, goods, catalog, search, content, promotion, buy, orders, aftersale, account }
