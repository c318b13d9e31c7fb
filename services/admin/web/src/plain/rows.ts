import type { Page } from '@shop/web/api'
import { useLoad } from '@shop/web/load'
import { computed, shallowRef, watch } from 'vue'
import { call, type Row } from '@/console/call'
import type { ListAct } from '@/console/shape'
import { useSession } from '@/stores/session'

/** The rows of a list, read again whenever what is asked changes, and after a login. */
export function useRows<R extends object = Row>(list: ListAct, query: () => object) {
  const session = useSession()
  const { data, failure, loading, load } = useLoad<Page<R & Row>>((signal) => call(list, query(), { signal }), {
    later: true,
  })
  /** Rows that were changed since they were read. */
  const newer = shallowRef(new Map<unknown, R & Row>())
  watch([() => JSON.stringify(query()), () => session.turn], () => void again(), { immediate: true })

  async function again(): Promise<void> {
    await load()
    newer.value = new Map()
  }

  /** Puts what the service has stored in the place of a row. */
  function put(row: Row): void {
    newer.value = new Map(newer.value).set(row.id, { ...find(row.id), ...row } as R & Row)
  }

  function find(id: unknown): (R & Row) | undefined {
    return rows.value.find((row) => String(row.id) === String(id))
  }

  const rows = computed(() => (data.value?.list ?? []).map((row) => newer.value.get(row.id) ?? row))
  const total = computed(() => data.value?.total ?? rows.value.length)
  const pages = computed(() => data.value?.pages ?? 1)
  return { data, rows, total, pages, failure, loading, again, put, find }
}
