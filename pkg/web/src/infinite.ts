import { computed, onActivated, onBeforeUnmount, onDeactivated, ref, shallowRef, watch } from 'vue'
import type { Answer, Failure } from './answer'
import type { Page } from './api'

/**
 * A list that grows as its end comes into sight. The end is an element of the page, given by `:ref="end"`. Rows that move to
 * a later page while one reads are shown once. What is shown survives in a page that is kept alive.
 */
export function useInfiniteList<T>(
  ask: (page: number, signal: AbortSignal) => Promise<Answer<Page<T>>>,
  id: (row: T) => number | string,
  options: { later?: boolean } = {},
) {
  const rows = shallowRef<T[]>([])
  const total = ref<number>()
  const failure = shallowRef<Failure>()
  const loading = ref(false)
  const done = ref(false)
  const last = shallowRef<HTMLElement | null>(null)
  const waiting = computed(() => loading.value && rows.value.length === 0)
  const empty = computed(() => done.value && rows.value.length === 0)
  let page = 0
  let size = 1
  let dropped = 0
  let control: AbortController | undefined
  let inSight = false

  async function more(): Promise<void> {
    if (loading.value || done.value) return
    const mine = (control = new AbortController())
    loading.value = true
    failure.value = undefined
    // Rows that are gone have moved the later ones up: as many pages are asked again.
    const answer = await ask(Math.max(0, page - Math.ceil(dropped / size)) + 1, mine.signal)
    if (mine !== control) return
    loading.value = false
    if (answer.failure) {
      if (answer.failure.kind !== 'cancelled') failure.value = answer.failure
      return
    }
    page = answer.data.page
    size = Math.max(1, answer.data.limit)
    dropped = 0
    total.value = answer.data.total
    done.value = page >= answer.data.pages
    const known = new Set(rows.value.map(id))
    rows.value = [...rows.value, ...answer.data.list.filter((r) => !known.has(id(r)))]
    // The observer reports changes only; an end that is still in sight wants the next page.
    if (inSight && !done.value) setTimeout(() => inSight && void more())
  }

  /** Begins anew, such as with another filter. */
  function reset(): Promise<void> {
    control?.abort()
    control = undefined
    page = dropped = 0
    rows.value = []
    total.value = undefined
    failure.value = undefined
    loading.value = done.value = false
    return more()
  }

  /** Takes a row out that is gone at the service. */
  function drop(gone: number | string): void {
    rows.value = rows.value.filter((row) => id(row) !== gone)
    if (total.value !== undefined) total.value--
    dropped++
    if (inSight && !done.value) void more()
  }

  /** Reads again, in place, what is shown, such as when the way back leads to rows that may have changed. */
  async function refresh(): Promise<void> {
    if (page === 0) return reset()
    control?.abort()
    const mine = (control = new AbortController())
    loading.value = true
    const fresh: T[] = []
    const before = page
    let read = 0
    let pages = 1
    while (read < Math.min(before, pages)) {
      const answer = await ask(read + 1, mine.signal)
      if (mine !== control) return
      if (answer.failure) {
        loading.value = false
        return // what is shown is a little old, and stays
      }
      const known = new Set(fresh.map(id))
      fresh.push(...answer.data.list.filter((r) => !known.has(id(r))))
      total.value = answer.data.total
      pages = answer.data.pages
      read++
    }
    page = read
    dropped = 0
    done.value = read >= pages
    rows.value = fresh
    failure.value = undefined
    loading.value = false
  }

  const observer = new IntersectionObserver(
    (entries) => {
      inSight = entries.some((e) => e.isIntersecting)
      if (inSight && !failure.value) void more()
    },
    { rootMargin: '600px 0px' },
  )
  /** For the element at the end: `:ref="end"`. */
  const end = (element: unknown) => void (last.value = element instanceof HTMLElement ? element : null)
  watch(last, (now, before) => {
    if (before) observer.unobserve(before)
    if (now) observer.observe(now)
  })
  const online = () => failure.value && void more()
  window.addEventListener('online', online)
  onDeactivated(() => {
    inSight = false
    observer.disconnect()
  })
  onActivated(() => last.value && observer.observe(last.value))
  onBeforeUnmount(() => {
    window.removeEventListener('online', online)
    observer.disconnect()
    control?.abort()
  })
  if (!options.later) void more()
  return { rows, total, failure, loading, waiting, done, empty, end, more, drop, reset, refresh }
}
