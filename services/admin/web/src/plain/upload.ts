import type { Answer } from '@shop/web/answer'
import { smaller } from '@shop/web/picture'
import { newKey } from '@shop/web/submission'
import { api } from '@/api'

/** The permission that sending a file requires. */
export const uploadPermission = 'admin:storage:create'

/** Sends a file; a large picture is made smaller first. */
export async function upload(file: File): Promise<Answer<{ url: string }>> {
  const sent = file.type.startsWith('image/') ? await smaller(file) : file
  return api.upload('/admin/storage/create', sent, { key: newKey() })
}
