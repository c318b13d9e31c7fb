import { createI18n, type DefineLocaleMessage } from 'vue-i18n'
import { addressIn, firstLanguage, keepLanguage, type Language } from './language'
import type { Same } from './same'

/** Where the texts of a page are read from, one file for each language. */
export type Texts = Record<Language, () => Promise<{ default: Same<DefineLocaleMessage> }>>

const first = firstLanguage()

/** The texts of the page. */
export const i18n = createI18n({
  legacy: false,
  locale: first as string,
  fallbackLocale: false,
  missingWarn: import.meta.env.DEV,
  messages: {},
})

let texts: Texts
let switched: (language: Language) => unknown

/** Reads the texts for the first time. change switches what has texts of its own, such as a library of parts. */
export function begin(from: Texts, change: (language: Language) => unknown): Promise<void> {
  texts = from
  switched = change
  return speak(first)
}

/** Switches every text of the page and the language of the document. */
async function speak(language: Language): Promise<void> {
  const [{ default: text }] = await Promise.all([texts[language](), switched(language)])
  i18n.global.setLocaleMessage(language, text)
  i18n.global.locale.value = language
  document.documentElement.lang = language
}

/** Switches and keeps the choice. Where the language has addresses of its own, this leads to the one of the page. */
export async function choose(language: Language): Promise<void> {
  keepLanguage(language)
  const address = addressIn(language)
  if (address) location.assign(address)
  else await speak(language)
}
