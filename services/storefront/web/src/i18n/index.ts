import { begin } from '@shop/web/i18n'
import { Locale } from 'vant/es/locale'
import vantEn from 'vant/es/locale/lang/en-US'
import vantZh from 'vant/es/locale/lang/zh-CN'

export { choose, i18n } from '@shop/web/i18n'

/** Fulfilled when the texts are there. */
export const ready = begin({ 'zh-CN': () => import('./zh'), en: () => import('./en') }, (language) =>
  Locale.use(language, language === 'en' ? vantEn : vantZh),
)
