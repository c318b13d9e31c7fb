import type { Schema } from '@/api'

/** A region in the tree: a province, a city or a county. */
export interface Node {
  readonly id: number
  readonly name: string
  readonly code: number
  /** 1 for a province, 2 for a city, 3 for a county. */
  readonly level: number
  readonly above?: Node
  readonly below: readonly Node[]
}

type Division = { id: number; name: string; code: number; children?: readonly Division[] }

/** The provinces with what is below them. */
export function treeOf(provinces: readonly Schema<'people.Province'>[]): Node[] {
  return provinces.map((province) => nodeOf(province, 1))
}

function nodeOf(division: Division, level: number, above?: Node): Node {
  const below: Node[] = []
  const { id, name, code } = division
  const node: Node = { id, name, code, level, above, below }
  for (const child of division.children ?? []) below.push(nodeOf(child, level + 1, node))
  return node
}

/** All regions, in the order of the tree. */
export function flat(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...flat(node.below)])
}

/** The rows of the tree that are shown, where these are open. */
export function shownOf(nodes: readonly Node[], open: ReadonlySet<number>): Node[] {
  return nodes.flatMap((node) => [node, ...(open.has(node.id) ? shownOf(node.below, open) : [])])
}

/** The regions whose name or code has these words, each with those above it; and how many have them. */
export function found(all: readonly Node[], words: string): { rows: Node[]; n: number } {
  const hits = all.filter((node) => node.name.includes(words) || String(node.code).startsWith(words))
  const kept = new Set<Node>()
  for (const hit of hits) for (let at: Node | undefined = hit; at; at = at.above) kept.add(at)
  return { rows: all.filter((node) => kept.has(node)), n: hits.length }
}
