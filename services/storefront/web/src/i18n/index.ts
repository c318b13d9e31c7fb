import { firstLanguage, keepLanguage, type Language } from '@shop/web/language'
import { Locale } from 'vant/es/locale'
import vantEn from 'vant/es/locale/lang/en-US'
import vantZh from 'vant/es/locale/lang/zh-CN'
import { createI18n } from 'vue-i18n'
import type zh from './zh'

/** Texts of the same shape in another language. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

const texts: Record<Language, () => Promise<{ default: Same<typeof zh> }>> = {
  'zh-CN': () => import('./zh'),
  en: () => import('./en'),
}

const first = firstLanguage()

export const i18n = createI18n({
  legacy: false,
  locale: first as string,
  fallbackLocale: false,
  missingWarn: import.meta.env.DEV,
  messages: {},
})

/** Switches every text of the pages, those of Vant as well, and the language of the document. */
export async function speak(language: Language): Promise<void> {
  const { default: text } = await texts[language]()
  i18n.global.setLocaleMessage(language, text)
  i18n.global.locale.value = language
  Locale.use(language, language === 'en' ? vantEn : vantZh)
  document.documentElement.lang = language
}

/** Switches and keeps the choice. */
export async function choose(language: Language): Promise<void> {
  keepLanguage(language)
  await speak(language)
}

export const ready = speak(first)
