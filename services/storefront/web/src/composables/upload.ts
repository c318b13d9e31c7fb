import type { Answer } from '@shop/web/answer'
import { smaller } from '@shop/web/picture'
import { api } from '@/api'
import type { Schema } from '@/api'

/** Sends a picture. */
export async function upload(picture: File, signal?: AbortSignal): Promise<Answer<Schema<'storage.Object'>>> {
  return api.upload('/wx/storage/upload', await smaller(picture), { signal })
}
