import { defineStore } from 'pinia'
import { onBeforeUnmount, onMounted, ref } from 'vue'
import { api } from '@/api'
import { useAlert } from './alert'
import { useSession } from './session'

const every = 30_000
/** How often the rights are compared, while somebody has done something in the time that counts as work. */
const glance = 1_000
const work = 60_000

/** What is asked while somebody looks at the console: how many notices are unread, and what the operator may do. */
export const usePulse = defineStore('pulse', () => {
  const session = useSession()
  const alert = useAlert()
  const unread = ref(0)
  let version: string | undefined
  let busy = false

  const over = () => session.ended || session.leaving || !session.operator

  /** Counts the unread notices. */
  async function count(): Promise<void> {
    const { data } = await api.get('/admin/profile/nnotice')
    if (data !== undefined) unread.value = data
  }

  /** Asks whether somebody's rights have changed, and reads those of the operator again if so. */
  async function compare(): Promise<void> {
    if (over() || busy) return
    busy = true
    const { data } = await api.get('/admin/auth/rights')
    if (data !== undefined) {
      if (version !== undefined && data !== version) await session.read()
      version = data
    }
    busy = false
  }

  /** Asks all, unless nobody looks or the login is over. New orders are told of even where nobody looks. */
  async function beat(): Promise<void> {
    if (over()) return
    const looked = document.hidden ? [] : [count(), compare()]
    await Promise.all([alert.count(), ...looked])
  }
  return { unread, count, compare, beat }
})

/**
 * Asks every half a minute while the page is visible, and as soon as it is visible again. Whoever works with it sees
 * within a second what they may no longer do.
 */
export function useBeats(): void {
  const pulse = usePulse()
  const beat = () => void pulse.beat()
  const timers: ReturnType<typeof setInterval>[] = []
  let last = 0
  const acted = () => (last = Date.now())
  const look = () => !document.hidden && Date.now() - last < work && void pulse.compare()
  onMounted(() => {
    void pulse.count()
    void pulse.compare()
    void useAlert().count()
    timers.push(setInterval(beat, every), setInterval(look, glance))
    document.addEventListener('visibilitychange', beat)
    for (const event of ['pointermove', 'keydown'] as const) window.addEventListener(event, acted, { passive: true })
  })
  onBeforeUnmount(() => {
    for (const timer of timers) clearInterval(timer)
    document.removeEventListener('visibilitychange', beat)
    for (const event of ['pointermove', 'keydown'] as const) window.removeEventListener(event, acted)
  })
}
