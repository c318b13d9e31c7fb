import { menus } from '@/api/console'
import { word } from '@/i18n'

/** The name of the page where rights are granted. */
export function grantor(): string {
  const pages = menus.flatMap((group) => group.pages)
  const page = pages.find((p) => p.permissions.includes('admin:role:permission-update'))
  return page ? word(page.label) : ''
}
