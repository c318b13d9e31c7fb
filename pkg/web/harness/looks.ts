import { expect, type Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { enlargeable } from './focus'
import { accessible, type Manner, type Pending, settled, translated, whole } from './page'

const pictures = fileURLToPath(new URL('../../../.local/pages/', import.meta.url))
const language = 'shop.language' // the key of the browser's storage

/** What is looked at: a page with what it waits for, in the size of a project. */
export interface View {
  page: Page
  pending: Pending
  manner: Manner
  project: string
}

/** Writes a screenshot of the whole page to .local/pages where pictures are taken, as make pages does. */
export async function picture({ page, manner, project }: View, name: string): Promise<void> {
  if (process.env.SHOP_STORIES !== 'pictures') return
  await whole(page)
  await page.screenshot({ path: `${pictures}${manner.pictures}${name}-${project}.png`, fullPage: true })
}

/** Checks a page in both languages, in its dark colours and, from a wide screen, enlarged, with pictures. */
export async function looksRight(view: View, name: string): Promise<void> {
  const { page, pending, manner, project } = view
  await settled(page, pending, manner, 'all')
  await picture(view, `${name}-zh`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible(page, 'contrast')
  await picture(view, `${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate((language) => localStorage.setItem(language, 'en'), language)
  await page.reload()
  await settled(page, pending, manner, translated)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await picture(view, `${name}-en`)
  if (manner.enlarged && project === 'wide') await enlargeable(page, pending) // in English, which has the longer words
  await page.evaluate((language) => localStorage.removeItem(language), language)
}
