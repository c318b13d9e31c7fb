import type { Failure } from '@shop/web/answer'
import { computed, ref, shallowRef } from 'vue'
import { api, type Schema } from '@/api'
import { usePulse } from '@/stores/pulse'

type Receipt = Schema<'access.Receipt'>

const size = 20

/** One's own notices: read page after page, marked as read, dropped. */
export function useInbox() {
  const pulse = usePulse()
  const type = ref<'all' | 'unread'>('all')
  const rows = shallowRef<Receipt[]>()
  const total = ref(0)
  const failure = shallowRef<Failure>()
  const busy = ref(false)
  const picked = ref(new Set<number>())
  const more = computed(() => (rows.value?.length ?? 0) < total.value)

  async function load(first: boolean): Promise<void> {
    const known = first ? [] : (rows.value ?? [])
    if (first) picked.value = new Set()
    busy.value = true
    const page = Math.floor(known.length / size) + 1
    const answer = await api.get('/admin/profile/lsnotice', { type: type.value, page, limit: size })
    busy.value = false
    failure.value = answer.failure
    if (answer.failure) return
    const ids = new Set(known.map((row) => row.id))
    rows.value = [...known, ...answer.data.list.filter((row) => !ids.has(row.id))]
    total.value = answer.data.total
  }

  function choose(next: 'all' | 'unread'): void {
    type.value = next
    rows.value = undefined
    void load(true)
  }

  function pick(id: number): void {
    const next = new Set(picked.value)
    if (!next.delete(id)) next.add(id)
    picked.value = next
  }

  /** Calls with what is picked, and reads what there is then. */
  async function withPicked(path: '/admin/profile/bcatnotice' | '/admin/profile/brmnotice'): Promise<boolean> {
    busy.value = true
    const answer = await api.post(path, { ids: [...picked.value] })
    busy.value = false
    failure.value = answer.failure
    if (answer.failure) return false
    await Promise.all([load(true), pulse.count()])
    return true
  }

  /** Opens a notice, which is read then. */
  async function read(row: Receipt): Promise<Schema<'access.InboxNotice'> | undefined> {
    const answer = await api.post('/admin/profile/catnotice', { noticeId: row.noticeId })
    failure.value = answer.failure
    if (!answer.data) return undefined
    const time = row.readTime ?? answer.data.time
    rows.value = rows.value?.map((each) => (each.id === row.id ? { ...each, readTime: time } : each))
    void pulse.count()
    return answer.data
  }

  /** Drops a notice. */
  async function drop(row: Receipt): Promise<boolean> {
    const answer = await api.post('/admin/profile/rmnotice', { id: row.id })
    failure.value = answer.failure
    if (answer.failure) return false
    await Promise.all([load(true), pulse.count()])
    return true
  }

  void load(true)
  return { type, rows, more, failure, busy, picked, load, choose, pick, withPicked, read, drop }
}
