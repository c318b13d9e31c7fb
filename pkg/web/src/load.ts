import { computed, onActivated, onBeforeUnmount, onDeactivated, ref, shallowRef } from 'vue'
import type { Answer, Failure } from './answer'
import { isPassing } from './answer'

/** How long what was read is shown again without asking. */
const freshFor = 60_000

/**
 * The one state of something that is read: waiting, failed or there. A page that is kept alive reads again without
 * waiting when it is shown a minute later; what failed for want of a network is read when there is one again.
 */
export function useLoad<T>(ask: (signal: AbortSignal) => Promise<Answer<T>>, options: { later?: boolean } = {}) {
  const data = shallowRef<T>()
  const failure = shallowRef<Failure>()
  const loading = ref(false)
  const waiting = computed(() => loading.value && data.value === undefined)
  let control: AbortController | undefined
  let at = 0
  let shown = true

  async function load(): Promise<void> {
    control?.abort()
    const mine = (control = new AbortController())
    loading.value = true
    const answer = await ask(mine.signal)
    if (mine !== control) return
    loading.value = false
    if (answer.failure?.kind === 'cancelled') return
    failure.value = answer.failure
    if (!answer.failure) {
      data.value = answer.data
      at = Date.now()
    }
  }

  const again = () => {
    if (shown && failure.value && isPassing(failure.value)) void load()
  }
  window.addEventListener('online', again)
  onBeforeUnmount(() => {
    window.removeEventListener('online', again)
    control?.abort()
    control = undefined
  })
  onDeactivated(() => (shown = false))
  onActivated(() => {
    shown = true
    if (at && Date.now() - at > freshFor) void load()
  })
  if (!options.later) void load()
  return { data, failure, loading, waiting, load }
}
