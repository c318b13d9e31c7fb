import type { Answer } from '@shop/web/answer'
import { smaller } from '@shop/web/picture'
import { newKey } from '@shop/web/submission'
import { api } from '@/api'

/** The permission that sending a file requires. */
export const uploadPermission = 'admin:storage:create'

/** Sends a file; a large picture is made smaller first. said hears the share that has been sent, from 0 to 1. */
export async function upload(file: File, said?: (share: number) => void): Promise<Answer<{ url: string }>> {
  const sent = file.type.startsWith('image/') ? await smaller(file) : file
  return api.upload('/admin/storage/create', sent, { key: newKey(), sent: said })
}
