import { computed, shallowRef } from 'vue'
import type { Row } from '@/console/call'

/** How many records one call takes. */
const most = 1000

/** The records of a list that are chosen: they stay so while one turns its pages. */
export function useSelection(nameOf: (row: Row) => string) {
  /** Their names, by id. */
  const chosen = shallowRef(new Map<number, string>())
  const ids = computed(() => [...chosen.value.keys()])
  const has = (row: Row) => chosen.value.has(Number(row.id))

  function set(rows: readonly Row[], on: boolean): void {
    const next = new Map(chosen.value)
    for (const row of rows) {
      if (!on) next.delete(Number(row.id))
      else if (next.size < most) next.set(Number(row.id), nameOf(row))
    }
    chosen.value = next
  }

  function clear(): void {
    chosen.value = new Map()
  }
  return { chosen, ids, has, set, clear }
}

export type Selection = ReturnType<typeof useSelection>
