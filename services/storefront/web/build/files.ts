import type { OutputBundle } from 'rolldown'

/** The scripts of a chunk: itself and all that it imports, in the order in which they are needed. */
export function filesOf(bundle: OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (chunk?.type !== 'chunk' || found.has(name)) return found
  found.add(name)
  for (const imported of chunk.imports) filesOf(bundle, imported, found)
  return found
}
