import { defineStore } from 'pinia'
import { onBeforeUnmount, onMounted, ref } from 'vue'
import { api } from '@/api'
import { useAlert } from './alert'
import { useSession } from './session'

const every = 30_000

/** What is asked while somebody looks at the console: how many notices are unread, and what the operator may do. */
export const usePulse = defineStore('pulse', () => {
  const session = useSession()
  const alert = useAlert()
  const unread = ref(0)

  /** Counts the unread notices. */
  async function count(): Promise<void> {
    const { data } = await api.get('/admin/profile/nnotice')
    if (data !== undefined) unread.value = data
  }

  /** Asks both, unless nobody looks or the login is over. New orders are told of even where nobody looks. */
  async function beat(): Promise<void> {
    if (session.ended || !session.operator) return
    const looked = document.hidden ? [] : [count(), session.read()]
    await Promise.all([alert.count(), ...looked])
  }
  return { unread, count, beat }
})

/** Asks every half a minute while the page is visible, and as soon as it is visible again. */
export function useBeats(): void {
  const pulse = usePulse()
  const beat = () => void pulse.beat()
  let timer: ReturnType<typeof setInterval> | undefined
  onMounted(() => {
    void pulse.count()
    void useAlert().count()
    timer = setInterval(beat, every)
    document.addEventListener('visibilitychange', beat)
  })
  onBeforeUnmount(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', beat)
  })
}
