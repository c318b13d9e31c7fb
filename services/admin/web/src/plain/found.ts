import type { Page } from '@shop/web/api'
import { useToasts } from '@shop/web/toasts'
import { onBeforeUnmount, ref, shallowRef } from 'vue'
import { call, type Row } from '@/console/call'
import { titleFor, titleOf } from '@/console/names'
import type { Area, Field } from '@/console/shape'
import { filtersOf } from './address'
import { placed, type Placed } from './tree'

/** How many records are offered. */
const most = 20

/** The filter that finds the records of an area by words: that of the member by which people know them, if there is one. */
function finder(area: Area): Field | undefined {
  const texts = area.list ? filtersOf(area.list).filter((field) => field.kind === 'text' && !field.show) : []
  return texts.find((field) => field.name === titleOf(area)?.name) ?? texts[0]
}

/** The records of an area that are found for a text. A tree has its records on all levels. */
export function useFound(area: Area) {
  const toasts = useToasts()
  const rows = shallowRef<Placed[]>([])
  /** The text that the rows were found for. */
  const answered = ref<string>()
  const filter = finder(area)
  let control: AbortController | undefined
  onBeforeUnmount(stop)

  function stop(): void {
    control?.abort()
    control = undefined
  }

  /** Finds the records for the words in a text, all for ''; false if that failed, or was overtaken by another text. */
  async function find(text: string, words: string): Promise<boolean> {
    if (!area.list) return false
    stop()
    const mine = (control = new AbortController())
    const query = { ...(area.list.paged ? { limit: most } : {}), ...(filter && words ? { [filter.name]: words } : {}) }
    const { data, failure } = await call<Page<Row>>(area.list, query, { signal: mine.signal })
    if (mine !== control) return false
    if (failure) {
      toasts.complain(failure)
      return false
    }
    const matching = ({ row }: Placed) =>
      filter !== undefined || titleFor(area, row).toLowerCase().includes(words.toLowerCase())
    rows.value = placed(area.list, data.list).filter(matching).slice(0, most)
    answered.value = text
    return true
  }
  return { rows, answered, find, stop }
}
