import { begin, i18n } from '@shop/web/i18n'
import type { Language as Texts } from 'element-plus/es/locale'
import { shallowRef } from 'vue'
import type { Label } from '@/console/shape'

export { choose, i18n } from '@shop/web/i18n'

/** The texts of Element Plus's own parts. */
export const partTexts = shallowRef<Texts>()

/** Fulfilled when the texts are there. */
export const ready = begin({ 'zh-CN': () => import('./zh'), en: () => import('./en') }, async (language) => {
  const texts =
    language === 'en'
      ? await import('element-plus/es/locale/lang/en')
      : await import('element-plus/es/locale/lang/zh-cn')
  partTexts.value = texts.default
})

/** A label of the declarations in the language of the page. */
export function word(label: Label): string {
  return i18n.global.locale.value === 'en' ? label.en : label.zh
}
