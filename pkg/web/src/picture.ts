import { uploadLimit } from './settings'

// A photograph is made smaller; a long screenshot stays as wide as its text needs. Some browsers draw nothing above
// 16 million pixels.
const shorter = 1536
const area = 16_000_000
// A picture of so few bytes and pixels is sent as it is. The service takes at least so many pixels of any common kind.
const small = 1_500_000
const few = 12_000_000
/** As much of a file as says whether it is animated. */
const head = 1 << 16

/** The picture as it is sent: a large one is made smaller, which saves time and data. */
export async function smaller(picture: File): Promise<File> {
  try {
    if (await animated(picture)) return picture // drawing it would leave one frame
    const map = await createImageBitmap(picture)
    const pixels = map.width * map.height
    if (picture.size <= Math.min(small, uploadLimit()) && pixels <= few) {
      map.close()
      return picture
    }
    const blob = await drawn(map)
    return blob && (blob.size < picture.size || pixels > few)
      ? new File([blob], 'picture.jpg', { type: 'image/jpeg' })
      : picture
  } catch {
    return picture // the browser cannot read it; the service says what it thinks of it
  }
}

/** The size at which a picture is sent. */
export function fitted(width: number, height: number): [number, number] {
  const scale = Math.min(1, shorter / Math.min(width, height), Math.sqrt(area / (width * height)))
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

/** Draws a picture as a JPEG, which is white where the picture is transparent. */
async function drawn(map: ImageBitmap): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = fitted(map.width, map.height)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(map, 0, 0, canvas.width, canvas.height)
  map.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.86))
}

/** Whether a file is a GIF, or an animated WebP or PNG. */
async function animated(picture: File): Promise<boolean> {
  const bytes = new Uint8Array(await picture.slice(0, head).arrayBuffer())
  const text = new TextDecoder('latin1').decode(bytes)
  if (text.startsWith('GIF8')) return true
  if (text.startsWith('RIFF') && text.slice(8, 16) === 'WEBPVP8X') return ((bytes[20] ?? 0) & 2) !== 0
  return text.startsWith('\x89PNG') && text.slice(0, text.indexOf('IDAT')).includes('acTL')
}
