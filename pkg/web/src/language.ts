/** The languages of the pages, as HTML names them. */
export const languages = ['zh-CN', 'en'] as const
export type Language = (typeof languages)[number]

const kept = 'shop.language'

/**
 * The language that the address names, else the one that was chosen, else the first of the browser's that the pages
 * know, else the shop's, which the service has written into the page.
 */
export function firstLanguage(): Language {
  const first = ofAddress() ?? read()
  if (first) return first
  for (const wanted of [...navigator.languages, document.documentElement.lang]) {
    const found = languages.find((l) => l.slice(0, 2) === wanted.slice(0, 2).toLowerCase())
    if (found) return found
  }
  return 'zh-CN'
}

/** The language of the addresses without a prefix, where the service has pages in several languages. */
const shopLanguage = () => document.documentElement.dataset.language

/** The language whose prefix the address has, such as /en/goods/1. */
function ofAddress(): Language | undefined {
  const first = location.pathname.split('/')[1]
  return shopLanguage() ? languages.find((l) => l.slice(0, 2) === first) : undefined
}

/** The prefix of the address, which names its language; empty for none. */
export function addressPrefix(): string {
  const language = ofAddress()
  return language ? '/' + language.slice(0, 2) : ''
}

/** The address of this page in a language; nothing for the one where it is, or where the service has only one. */
export function addressIn(language: Language): string | undefined {
  const shop = shopLanguage()
  const prefix = !shop || language === shop ? '' : '/' + language.slice(0, 2)
  if (prefix === addressPrefix()) return undefined
  return prefix + location.pathname.slice(addressPrefix().length) + location.search + location.hash || '/'
}

function read(): Language | undefined {
  try {
    return languages.find((l) => l === localStorage.getItem(kept))
  } catch {
    return undefined // storage is closed to this page
  }
}

/** Keeps the choice for the next visit. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(kept, language)
  } catch {
    // it lasts until the page is closed
  }
}
