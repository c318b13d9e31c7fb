import type { Answer } from '@shop/web/answer'
import { uploadLimit } from '@shop/web/settings'
import { api } from '@/api'
import type { Schema } from '@/api'

const longest = 2048
const small = 1_500_000

/** Sends a picture; a large one is made smaller first, which saves the shopper's time and data. */
export async function upload(picture: File, signal?: AbortSignal): Promise<Answer<Schema<'storage.Object'>>> {
  return api.upload('/wx/storage/upload', await smaller(picture), { signal })
}

async function smaller(picture: File): Promise<File> {
  if (picture.size <= Math.min(small, uploadLimit()) || picture.type === 'image/gif') return picture
  try {
    const map = await createImageBitmap(picture)
    const scale = Math.min(1, longest / Math.max(map.width, map.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(map.width * scale)
    canvas.height = Math.round(map.height * scale)
    canvas.getContext('2d')?.drawImage(map, 0, 0, canvas.width, canvas.height)
    map.close()
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.86))
    return blob && blob.size < picture.size ? new File([blob], 'picture.jpg', { type: 'image/jpeg' }) : picture
  } catch {
    return picture // the browser cannot read it; the service says what it thinks of it
  }
}
