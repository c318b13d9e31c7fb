import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { OutputBundle } from 'rolldown'
import type { Plugin } from 'vite'
import { filesOf } from './files.ts'

const source = fileURLToPath(new URL('./worker.js', import.meta.url))

/** The files that the first page needs, with those that it loads at once. */
function shell(bundle: OutputBundle): string[] {
  const found = new Set<string>()
  for (const file of Object.values(bundle)) {
    if (file.fileName.endsWith('.css')) found.add(file.fileName)
    if (file.type !== 'chunk') continue
    const home = file.moduleIds.some((id) => /\/(i18n\/(zh|en)\/index\.ts|pages\/home\/HomePage\.vue)$/.test(id))
    if (file.isEntry || home) filesOf(bundle, file.fileName, found)
  }
  return [...found].sort().map((name) => '/' + name)
}

/** Writes the service worker, which keeps the shell of the pages for a device without a network. */
export function offline(): Plugin {
  return {
    name: 'shop:offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = ['/index.html', '/icons/shop.svg', '/manifest.webmanifest', ...shell(bundle)]
      const others = Object.keys(bundle)
        .filter((name) => name.endsWith('.js') && !files.includes('/' + name))
        .map((name) => '/' + name)
        .sort()
      const html = bundle['index.html']
      const version = createHash('sha256').update([...files, ...others].join('\n'))
      if (html?.type === 'asset') version.update(html.source)
      const code = readFileSync(source, 'utf8')
        .replace("'VERSION'", JSON.stringify(version.digest('hex').slice(0, 12)))
        .replace("['FILES']", JSON.stringify(files))
        .replace("['OTHERS']", JSON.stringify(others))
      this.emitFile({ type: 'asset', fileName: 'worker.js', source: code })
    },
  }
}
