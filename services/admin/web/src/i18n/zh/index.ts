import common from './common'
import list from './list'
import record from './record'
import rule from './rule'
import shell from './shell'

export default { common, shell, list, record, rule }
