import { onMounted, shallowRef } from 'vue'
import { api } from '@/api'
import { flat, treeOf, type Node } from '@/pages/region/tree'

/** The provinces with what is below them. Every operator may read these. */
const provinces = shallowRef<readonly Node[]>([])
let asking: Promise<void> | undefined

async function read(): Promise<void> {
  const { data } = await api.get('/admin/region/list')
  if (data) provinces.value = treeOf(data.list)
  asking = undefined
}

/** The regions as a tree, read when something first shows them. */
export function useRegions() {
  onMounted(() => {
    if (provinces.value.length === 0) asking ??= read()
  })
  return provinces
}

/** The names of a region and of those that it lies in; a city that is its own province is named once. */
export function nameOf(node: Node): string {
  const above = node.above ? nameOf(node.above) : ''
  return above.endsWith(node.name) ? above : above + node.name
}

/** The names of the regions with these codes; a code that no region has stands for itself. */
export function namesOf(all: readonly Node[], codes: readonly string[]): { code: string; name: string }[] {
  const named = new Map(flat(all).map((node) => [String(node.code), node]))
  return codes.map((code) => {
    const node = named.get(code)
    return { code, name: node ? nameOf(node) : code }
  })
}

/** The codes with another one, or without it if it is among them; those that lie in a chosen region are left out. */
export function toggled(codes: readonly string[], node: Node): string[] {
  const code = String(node.code)
  if (codes.includes(code)) return codes.filter((each) => each !== code)
  const below = new Set(flat(node.below).map((each) => String(each.code)))
  return [...codes.filter((each) => !below.has(each)), code]
}

/** Whether a region lies in one that is chosen. */
export function covered(codes: readonly string[], node: Node): boolean {
  for (let at = node.above; at; at = at.above) if (codes.includes(String(at.code))) return true
  return false
}
