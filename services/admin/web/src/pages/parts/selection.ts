import { computed, shallowRef } from 'vue'

/** The rows that were chosen in a list. They stay chosen while one turns its pages. */
export function useSelection<R extends { readonly id: number }>() {
  const chosen = shallowRef<ReadonlyMap<number, R>>(new Map())
  const rows = computed(() => [...chosen.value.values()])
  const has = (row: R) => chosen.value.has(row.id)

  /** Chooses rows, or no longer. */
  function set(list: readonly R[], on: boolean): void {
    const next = new Map(chosen.value)
    for (const row of list) {
      if (on) next.set(row.id, row)
      else next.delete(row.id)
    }
    chosen.value = next
  }
  const clear = () => (chosen.value = new Map())
  return { rows, has, set, clear }
}
