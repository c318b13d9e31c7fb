import { computed } from 'vue'
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router'
import type { Field, ListAct } from '@/console/shape'
import { sent, type Value } from '@/console/values'

/** How many rows a page of a list may have. */
export const sizes = [20, 50, 100] as const

const own = new Set(['page', 'limit', 'sort', 'order'])

/** The filters of a list: what it may be asked, without how it is cut into pages and sorted. */
export function filtersOf(list: ListAct): Field[] {
  return list.fields.filter((field) => !own.has(field.name))
}

/** How a list is asked, as the address of its page says: filters, page, size, sort; and which record is open. */
export function useListAddress(list: ListAct) {
  const route = useRoute()
  const router = useRouter()
  const path = route.path
  const filters = filtersOf(list)
  const text = (name: string) => String(route.query[name] ?? '')

  const given = computed(() => filters.filter((field) => text(field.name) !== ''))
  const page = computed(() => Math.max(1, Math.trunc(Number(text('page'))) || 1))
  const size = computed(() => sizes.find((n) => n === Number(text('limit'))) ?? sizes[0])
  const sort = computed(() => list.sorts.find((s) => s === text('sort')))
  const order = computed(() => (text('order') === 'asc' ? ('asc' as const) : ('desc' as const)))
  /** The id of the open record, 'new' for one that is being added, '' for none. */
  const open = computed(() => text('open'))
  const editing = computed(() => text('edit') !== '')

  /** The filters as a form holds them. */
  const values = computed<Record<string, string>>(() =>
    Object.fromEntries(filters.map((field) => [field.name, text(field.name)])),
  )

  /** What the service is asked. */
  const query = computed(() => ({
    ...Object.fromEntries(given.value.map((field) => [field.name, filterSent(field, text(field.name))])),
    ...(list.paged ? { page: page.value, limit: size.value } : {}),
    ...(sort.value ? { sort: sort.value, order: order.value } : {}),
  }))

  /** Changes the address in place, or as a step that the way back undoes. What is '' goes out of it. */
  function change(part: LocationQueryRaw, step = false): Promise<unknown> {
    const next = { ...route.query, ...part }
    const query = Object.fromEntries(Object.entries(next).filter(([, v]) => v !== '' && v !== undefined && v !== null))
    return step ? router.push({ path, query }) : router.replace({ path, query })
  }
  return { filters, given, page, size, sort, order, open, editing, values, query, change }
}

function filterSent(field: Field, text: string): unknown {
  if (field.kind === 'boolean') return text === 'true'
  if (field.kind === 'list') return sent(field, text.split(',') as Value)
  return sent(field, text)
}

/** How a column is sorted, for screen readers; undefined for one that is not. */
export function ariaSort(
  address: Pick<ReturnType<typeof useListAddress>, 'sort' | 'order'>,
  by: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (!by || address.sort.value !== by) return undefined
  return address.order.value === 'asc' ? 'ascending' : 'descending'
}
