import type { Page } from '@shop/web/api'
import { useLoad } from '@shop/web/load'
import { computed, shallowRef, watch } from 'vue'
import { call, type Row } from '@/console/call'
import type { ListAct } from '@/console/shape'
import { useSession } from '@/stores/session'
import { placed } from './tree'

/** The rows of a list, read again whenever what is asked changes, and after a login. */
export function useRows(list: ListAct, query: () => object) {
  const session = useSession()
  const { data, failure, loading, load } = useLoad<Page<Row>>((signal) => call(list, query(), { signal }), {
    later: true,
  })
  /** Rows that were changed since they were read. */
  const newer = shallowRef(new Map<unknown, Row>())
  watch([() => JSON.stringify(query()), () => session.turn], () => void again(), { immediate: true })

  async function again(): Promise<void> {
    await load()
    newer.value = new Map()
  }

  /** Puts what the service has stored in the place of a row; in a tree it may have another place now. */
  function put(row: Row): void {
    if (list.tree) return void again()
    newer.value = new Map(newer.value).set(row.id, { ...find(row.id), ...row })
  }

  function find(id: unknown): Row | undefined {
    return rows.value.find((row) => String(row.id) === String(id))
  }

  const places = computed(() => placed(list, data.value?.list ?? []))
  const rows = computed(() => places.value.map(({ row }) => newer.value.get(row.id) ?? row))
  /** How many rows a row is below. */
  const depth = (index: number) => places.value[index]?.above.length ?? 0
  // The total of a tree is that of its roots.
  const total = computed(() => (list.tree ? undefined : data.value?.total) ?? rows.value.length)
  const pages = computed(() => data.value?.pages ?? 1)
  return { data, rows, depth, total, pages, failure, loading, again, put, find }
}
