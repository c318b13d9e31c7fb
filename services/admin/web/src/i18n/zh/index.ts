import common from './common'
import list from './list'
import page from './page'
import order from './order'
import record from './record'
import rule from './rule'
import shell from './shell'

export default { common, shell, list, page, record, rule, order }
