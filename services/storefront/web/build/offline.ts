import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { OutputBundle, OutputChunk } from 'rolldown'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('./worker.js', import.meta.url))

/** The files that the first page needs, with those that it loads at once. */
function shell(bundle: OutputBundle): string[] {
  const found = new Set<string>()
  const take = (name: string) => {
    const chunk = bundle[name]
    if (found.has(name) || chunk?.type !== 'chunk') return
    found.add(name)
    chunk.imports.forEach(take)
    for (const css of (chunk as OutputChunk & { viteMetadata?: { importedCss: Set<string> } }).viteMetadata
      ?.importedCss ?? [])
      found.add(css)
  }
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue
    const home = file.moduleIds.some((id) => /\/(i18n\/(zh|en)\/index\.ts|pages\/home\/HomePage\.vue)$/.test(id))
    if (file.isEntry || home) take(file.fileName)
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
      const files = ['/', '/icons/shop.svg', '/manifest.webmanifest', ...shell(bundle)]
      const html = bundle['index.html']
      const version = createHash('sha256').update(files.join('\n'))
      if (html?.type === 'asset') version.update(html.source)
      const code = readFileSync(source, 'utf8')
        .replace("'VERSION'", JSON.stringify(version.digest('hex').slice(0, 12)))
        .replace("['FILES']", JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'worker.js', source: code })
    },
  }
}
