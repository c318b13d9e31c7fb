import { titleCount } from '@shop/web/title'
import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { call } from '@/console/call'
import { counts, state } from '@/pages/orders/order'
import { countsOf, sumOf } from '@/pages/parts/counts'
import { useLook } from './look'
import { useSession } from './session'

/** Where orders are shown, which are seen there. */
export const ordersPath = '/mall/order'

/** A short tone; it needs no file. */
function sound(): void {
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  volume.gain.value = 0.1
  tone.connect(volume).connect(audio.destination)
  tone.frequency.value = 880
  tone.start()
  tone.stop(audio.currentTime + 0.2)
  tone.onended = () => void audio.close()
}

/**
 * Tells of orders that were paid since somebody looked: by a badge and the title, and as the operator chose by a tone and
 * a notification. An order that is shipped in the same half minute as another is paid hides it.
 */
export const useAlert = defineStore('alert', () => {
  const look = useLook()
  const session = useSession()
  const { t } = useI18n({ useScope: 'global' })
  const fresh = ref(0)
  let last: number | undefined

  /** Counts the orders to ship. */
  async function count(): Promise<void> {
    if (look.look.alert === 'off' || !session.may(counts.permission)) return
    const { data } = await call<{ orderStatus: number; total: number }[]>(counts, {})
    if (!data) return
    const now = sumOf(countsOf(data, 'orderStatus'), [state.toShip])
    const more = last === undefined ? 0 : Math.max(0, now - last)
    last = now
    if (more > 0) tell(more)
  }

  function tell(more: number): void {
    fresh.value += more
    if (look.look.alert === 'badge') return
    sound()
    if (look.look.alert === 'notice' && Notification.permission === 'granted') {
      new Notification(t('shell.alert.text', { n: more }), { tag: 'orders' })
    }
  }

  /** Forgets what is new, as soon as the orders are looked at. */
  function seen(): void {
    fresh.value = 0
  }

  watch(fresh, (n) => (titleCount.value = n))
  watch(
    () => look.look.alert,
    (level) => {
      last = undefined
      seen()
      if (level === 'notice') void Notification.requestPermission()
      void count()
    },
  )
  return { fresh, count, seen }
})
