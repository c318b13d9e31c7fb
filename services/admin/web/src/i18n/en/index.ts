import type { Same } from '@shop/web/i18n'
import type zh from '../zh'
import common from './common'
import list from './list'
import page from './page'
import record from './record'
import rule from './rule'
import shell from './shell'

const en: Same<typeof zh> = { common, shell, list, page, record, rule }
export default en
