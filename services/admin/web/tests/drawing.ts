import { deflateSync, crc32 } from 'node:zlib'

/** A picture of one colour, such as #b33, as a file to choose; no two are alike. */
export function drawing(colour: string, size = 64): { name: string; mimeType: string; buffer: Buffer } {
  const rgb = [1, 2, 3].map((at) => parseInt((colour[at] ?? '0').repeat(2), 16))
  const row = Buffer.from([0, ...Array.from({ length: size }, () => rgb).flat()])
  const pixels = Buffer.concat(Array.from({ length: size }, () => row))
  pixels.writeUInt32BE(Math.floor(Math.random() * 2 ** 32), 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return { name: `${colour.slice(1)}.png`, mimeType: 'image/png', buffer: Buffer.concat([signature, ...parts]) }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
