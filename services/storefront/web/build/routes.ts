import type { Plugin } from 'vite'
import { filesOf } from './files.ts'

/** Writes which scripts each page and each language needs beside the application; the service names them in the HTML. */
export function routes(): Plugin {
  return {
    name: 'shop:routes',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const first = new Set<string>()
      for (const chunk of chunks) if (chunk.isEntry) filesOf(bundle, chunk.fileName, first)
      const needed: Record<string, string[]> = {}
      for (const chunk of chunks) {
        const [, name] = /\/src\/(pages\/.+Page\.vue|i18n\/\w+)(\/index\.ts)?$/.exec(chunk.facadeModuleId ?? '') ?? []
        if (!name || !chunk.isDynamicEntry) continue
        needed[name.replace(/^pages\/|\.vue$/g, '')] = [...filesOf(bundle, chunk.fileName)]
          .filter((file) => !first.has(file))
          .map((file) => '/' + file)
      }
      const sorted = Object.fromEntries(Object.entries(needed).sort(([a], [b]) => (a < b ? -1 : 1)))
      this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(sorted, null, 1) + '\n' })
    },
  }
}
