import { areas, menus } from '@/api/console'
import type { Act, Label } from '@/console/shape'
import { word } from '@/i18n'

/** A place in the tree of all permissions: a group of the menus, a page, or a permission. */
export interface Node {
  /** Of a permission its value, such as 'admin:order:ship'. */
  readonly id: string
  readonly label: Label
  /** 1 for a group, 2 for a page, 3 for a permission. */
  readonly level: 1 | 2 | 3
  readonly above?: Node
  readonly below: readonly Node[]
  /** The permissions in it; of a permission itself. */
  readonly values: readonly string[]
}

const buttons = new Map<string, Label>(
  Object.values(areas)
    .flatMap(({ list, create, read, update, delete: removes, acts }) => [list, create, read, update, removes, ...acts])
    .filter((act): act is Act => act !== undefined)
    .map((act) => [act.permission, act.button]),
)

function make(id: string, label: Label, level: Node['level'], above: Node | undefined, values: readonly string[]) {
  const below: Node[] = []
  return { id, label, level, above, below, values }
}

/** All permissions by the pages of the menus. */
export const tree: readonly Node[] = menus.map((group) => {
  const values = group.pages.flatMap((page) => page.permissions)
  const top = make(`menu:${group.id}`, group.label, 1, undefined, values)
  for (const page of group.pages) {
    const node = make(`menu:${page.id}`, page.label, 2, top, page.permissions)
    top.below.push(node)
    for (const value of page.permissions) {
      node.below.push(make(value, buttons.get(value) ?? { zh: value, en: value }, 3, node, [value]))
    }
  }
  return top
})

const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.below)])

/** Every place, in the order of the tree. */
export const nodes: readonly Node[] = flat(tree)

/** The permissions that stand for everything, and all that there are by name. */
export const everything = '*'
export const allValues: readonly string[] = tree.flatMap((group) => group.values)

const known = new Map(nodes.map((node) => [node.id, node]))

/** A permission as people know it: its page and its button. */
export function nameOfRight(value: string): string {
  const node = known.get(value)
  return node?.above ? `${word(node.above.label)} · ${word(node.label)}` : value
}

/** The places that have all words in their names or their value, each with those above it and below it. */
export function sought(among: readonly Node[], words: string): { kept: ReadonlySet<Node>; n: number } {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  const text = (node: Node): string =>
    `${node.level === 3 ? node.id : ''} ${node.label.zh} ${node.label.en} ${node.above ? text(node.above) : ''}`
  const hits = among.filter((node) => {
    const all = text(node).toLowerCase()
    return node.level === 3 && parts.every((part) => all.includes(part))
  })
  const kept = new Set<Node>()
  for (const hit of hits) for (let at: Node | undefined = hit; at; at = at.above) kept.add(at)
  return { kept, n: hits.length }
}

/** The values of a set that are declared, without what stands for everything. */
export function spelledOut(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.includes(everything) ? allValues : values)
}

/** The values of the first set that the second lacks. */
export function beyond(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((value) => !b.has(value))
}
