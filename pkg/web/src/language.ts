/** The languages of the pages, as HTML names them. */
export const languages = ['zh-CN', 'en'] as const
export type Language = (typeof languages)[number]

const kept = 'shop.language'

/**
 * The language that was chosen, else the first of the browser's that the pages know, else the shop's, which the service
 * has written into the page.
 */
export function firstLanguage(): Language {
  const chosen = read()
  if (chosen) return chosen
  for (const wanted of [...navigator.languages, document.documentElement.lang]) {
    const found = languages.find((l) => l.slice(0, 2) === wanted.slice(0, 2).toLowerCase())
    if (found) return found
  }
  return 'zh-CN'
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
