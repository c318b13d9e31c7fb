import type { InjectionKey } from 'vue'
import type { Schema } from '@/api'
import { listed } from '../parts/acts'

export const area = listed('category')

/** The levels of the tree, as the service calls them. */
export const level = { first: 'L1', second: 'L2' } as const

/** A category in the tree. */
export interface Node {
  readonly id: number
  readonly name: string
  readonly sortOrder: number
  readonly iconUrl: string
  readonly keywords: string
  readonly above?: Node
  readonly below: readonly Node[]
}

/** The tree of the list of categories. */
export function treeOf(branches: readonly Schema<'catalog.Branch'>[]): Node[] {
  return branches.map((branch) => {
    const below: Node[] = []
    const node: Node = { ...branch, below }
    for (const child of branch.children) below.push({ ...child, above: node, below: [] })
    return node
  })
}

export interface Sorted {
  readonly id: number
  readonly sortOrder: number
}

/**
 * The numbers that have to change so that records come in this order. The service orders by number, and by id where
 * numbers are equal; as few change as possible from the front.
 */
export function renumbered<R extends Sorted>(order: readonly R[]): { record: R; sortOrder: number }[] {
  const changed: { record: R; sortOrder: number }[] = []
  let last: Sorted | undefined
  for (const record of order) {
    const follows =
      !last || record.sortOrder > last.sortOrder || (record.sortOrder === last.sortOrder && record.id > last.id)
    const sortOrder: number = follows || !last ? record.sortOrder : last.sortOrder + 1
    if (sortOrder !== record.sortOrder) changed.push({ record, sortOrder })
    last = { id: record.id, sortOrder }
  }
  return changed
}

/** What the page offers for the open category. */
export interface Around {
  /** The categories of the same parent, in their order. */
  siblings(id: number): readonly Node[]
  move(id: number, step: -1 | 1): Promise<void>
  addBelow(id: number): void
}

export const around: InjectionKey<Around> = Symbol('around')
