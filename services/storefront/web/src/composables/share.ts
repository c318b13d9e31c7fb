import { i18n } from '@/i18n'
import { useToasts } from '@/stores/toasts'

/** Whether the device has a share sheet of its own. */
export const canShare = typeof navigator.share === 'function'

/** Opens the share sheet of the device. */
export async function share(title: string, url = location.href): Promise<void> {
  try {
    await navigator.share({ title, url })
  } catch {
    // the shopper has closed the sheet
  }
}

/** Copies the address of a page. */
export async function copyLink(url = location.href): Promise<void> {
  const toasts = useToasts()
  if (await copy(url)) toasts.tell('goods.share.copied')
  else window.prompt(i18n.global.t('goods.share.link'), url)
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // over plain HTTP, or the shopper does not allow it
  }
}
