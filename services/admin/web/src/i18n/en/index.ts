import type { Same } from '@shop/web/i18n'
import type zh from '../zh'
import common from './common'
import list from './list'
import page from './page'
import order from './order'
import record from './record'
import rule from './rule'
import shell from './shell'

const en: Same<typeof zh> = { common, shell, list, page, record, rule, order }
export default en
