import { gzipSync } from 'fflate'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const texts = /\.(html|js|css|svg|json|txt|webmanifest)$/

/** Files below a folder, sorted. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir)
    .sort()
    .map((name) => join(dir, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]))
}

/**
 * Writes each text of the built pages once more with brotli and once with gzip, as the service sends them. The same
 * text gives the same bytes on every machine: gzip comes from a library without code of the processor's own.
 */
export function compressed(): Plugin {
  let dir = ''
  return {
    name: 'shop:compressed',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      dir = join(config.root, config.build.outDir.startsWith('/') ? '' : config.build.outDir)
      if (config.build.outDir.startsWith('/')) dir = config.build.outDir
    },
    closeBundle() {
      for (const path of filesBelow(dir)) {
        if (!texts.test(path)) continue
        const data = readFileSync(path)
        const brotli = brotliCompressSync(data, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 11,
            [constants.BROTLI_PARAM_LGWIN]: 22,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
          },
        })
        writeFileSync(path + '.br', brotli)
        writeFileSync(path + '.gz', gzipSync(data, { level: 9, mtime: 0 }))
      }
    },
  }
}
