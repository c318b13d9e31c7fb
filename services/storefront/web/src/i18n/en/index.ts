import common from './common'
import home from './home'
import goods from './goods'
import find from './find'
import buy from './buy'
import after from './after'
import account from './account'
import mine from './mine'

export default { common, home, goods, find, buy, after, account, mine }
