import type { Same } from '@shop/web/i18n'
import type zh from '../zh'
import common from './common'
import list from './list'
import record from './record'
import rule from './rule'
import shell from './shell'

const en: Same<typeof zh> = { common, shell, list, record, rule }
export default en
