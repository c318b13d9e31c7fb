import { i18n } from '@/i18n'
import { useToasts } from '@shop/web/toasts'

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
  await copyText(url, 'goods.share.copied', 'goods.share.link')
}

/** Copies a text and says so; where the browser does not allow it, the text is shown to copy by hand. */
export async function copyText(text: string, copied = 'common.act.copied', label = 'common.act.copy'): Promise<void> {
  if (await copy(text)) useToasts().success(i18n.global.t(copied))
  else window.prompt(i18n.global.t(label), text)
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // over plain HTTP, or the shopper does not allow it
  }
}
