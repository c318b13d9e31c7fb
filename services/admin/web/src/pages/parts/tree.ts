import { computed, nextTick, ref, type Ref, shallowRef } from 'vue'

/** A row of a tree with those around it. */
export interface TreeNode<N> {
  readonly id: number
  readonly above?: N
  readonly below: readonly N[]
}

/**
 * How a tree is walked by keys: one row is reached by Tab, the arrows lead from there, Enter and Space act. rows are those
 * that are shown, always says that all of them are open.
 */
export function useTree<N extends TreeNode<N>>(
  box: Readonly<Ref<HTMLElement | null>>,
  rows: () => readonly N[],
  always: () => boolean,
  enter?: (node: N) => void,
) {
  const open = shallowRef<ReadonlySet<number>>(new Set())
  const at = ref<number>()
  const current = computed(() => rows().find((node) => node.id === at.value) ?? rows()[0])
  const isOpen = (node: N) => always() || open.value.has(node.id)

  function toggle(node: N, on = !open.value.has(node.id)): void {
    if (always()) return
    const next = new Set(open.value)
    if (on && node.below.length) next.add(node.id)
    else next.delete(node.id)
    open.value = next
  }

  async function go(to: N | undefined): Promise<void> {
    if (!to) return
    at.value = to.id
    await nextTick()
    box.value?.querySelector<HTMLElement>(`[data-id="${to.id}"]`)?.focus()
  }

  function key(event: KeyboardEvent, node: N): void {
    const index = rows().indexOf(node)
    const acts: Record<string, () => unknown> = {
      ArrowDown: () => go(rows()[index + 1]),
      ArrowUp: () => go(rows()[index - 1]),
      Home: () => go(rows()[0]),
      End: () => go(rows().at(-1)),
      ArrowRight: () => (isOpen(node) ? go(node.below[0]) : toggle(node, true)),
      ArrowLeft: () => (node.below.length && open.value.has(node.id) ? toggle(node, false) : go(node.above)),
      Enter: () => (enter ? enter(node) : toggle(node)),
      ' ': () => toggle(node),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return { open, at, current, isOpen, toggle, go, key }
}
