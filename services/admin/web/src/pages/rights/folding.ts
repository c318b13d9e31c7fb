import { computed, ref, shallowRef } from 'vue'
import { nodes, sought, type Node } from './rights'

/** Which places of the tree of permissions are shown: those that are open, or those that have the words of a search. */
export function useFolding(values: () => readonly string[]) {
  const words = ref('')
  const opened = shallowRef<ReadonlySet<Node>>(new Set(nodes.filter(({ level }) => level === 1)))
  /** The permissions that the tree has. */
  const own = computed(() => new Set(values()))
  const all = computed(() => nodes.filter((node) => node.values.some((value) => own.value.has(value))))
  const found = computed(() => (words.value.trim() ? sought(all.value, words.value) : undefined))
  const isOpen = (node: Node) => found.value !== undefined || opened.value.has(node)
  const isShown = (node: Node): boolean => !node.above || (isOpen(node.above) && isShown(node.above))
  const rows = computed(() => all.value.filter((node) => (found.value ? found.value.kept.has(node) : isShown(node))))

  /** Opens or closes a place; while one searches all are open. */
  function fold(node: Node, on = !opened.value.has(node)): void {
    if (found.value || node.level === 3) return
    const next = new Set(opened.value)
    if (on) next.add(node)
    else next.delete(node)
    opened.value = next
  }
  return { words, found, own, rows, isOpen, fold }
}
