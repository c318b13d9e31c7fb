import type { Same } from '@shop/web/i18n'
import type zh from '../zh'
import aftersale from './aftersale'
import common from './common'
import home from './home'
import list from './list'
import order from './order'
import page from './page'
import record from './record'
import rule from './rule'
import shell from './shell'

const en: Same<typeof zh> = { aftersale, common, home, list, order, page, record, rule, shell }

export default en
