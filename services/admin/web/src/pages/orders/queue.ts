import type { Page } from '@shop/web/api'
import { useLoad } from '@shop/web/load'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Schema } from '@/api'
import { call } from '@/console/call'
import { area, state } from './order'

type Row = Schema<'orders.Row'>

const pageSize = 50

/** The orders of a list that are to be shipped, the oldest first, with the one at hand. */
export function useQueue(filters: Record<string, unknown>) {
  const oldest = { orderStatusArray: [state.toShip], page: 1, sort: 'add_time', order: 'asc', limit: pageSize }
  const query = { ...filters, ...oldest }
  const { data, failure, load } = useLoad<Page<Row>>((signal) => call(area.list, query, { signal }))
  const rows = shallowRef<readonly Row[]>([])
  const at = ref(0)
  const gone = ref(0)
  watch(data, (page) => {
    rows.value = page?.list ?? []
    at.value = gone.value = 0
  })
  const order = computed(() => rows.value[at.value])
  const left = computed(() => Math.max(0, (data.value?.total ?? 0) - gone.value))

  /** Goes to the next one, or with -1 to the one before, round the ends. */
  function step(by: 1 | -1): void {
    const count = rows.value.length
    if (count > 0) at.value = (at.value + by + count) % count
  }

  /** Takes an order out that was shipped: the next one takes its place. */
  async function drop(id: number): Promise<void> {
    rows.value = rows.value.filter((row) => row.id !== id)
    gone.value++
    if (at.value >= rows.value.length) at.value = 0
    if (rows.value.length === 0 && left.value > 0) await load()
  }
  return { data, failure, load, rows, at, order, left, step, drop }
}
