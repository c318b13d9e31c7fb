import { failed, type Answer } from '@shop/web/answer'
import { i18n } from '@shop/web/i18n'
import { smaller } from '@shop/web/picture'
import { newKey } from '@shop/web/submission'
import { api } from '@/api'
import { areas } from '@/api/console'

/** The permission that sending a file requires. */
export const uploadPermission = 'admin:storage:create'

const limit = areas.storage?.create?.limit ?? Infinity

/**
 * Sends a file; a large picture is made smaller first. A file above the limit is refused without being sent: the service
 * refuses it as well, but closes the connection, and a browser that is still sending may lose that answer. said hears the share that has been sent, from 0 to 1.
 */
export async function upload(file: File, said?: (share: number) => void): Promise<Answer<{ url: string }>> {
  const sent = file.type.startsWith('image/') ? await smaller(file) : file
  if (sent.size > limit) return failed('refused', i18n.global.t('page.upload.tooLarge', { limit: limit >> 20 }))
  return api.upload('/admin/storage/create', sent, { key: newKey(), sent: said })
}
