import { now } from '@shop/web/clock'
import type { Answer } from '@shop/web/answer'
import { computed, reactive, ref } from 'vue'
import { api } from '@/api'
import { useTick } from '@/composables/tick'

const pause = 60_000
const sentTo = reactive(new Map<string, number>())

/** Sends codes to mobiles, a minute apart. `type` says what a shopper who is logged in wants it for. */
export function useCode(mobile: () => string, type?: string) {
  const time = useTick()
  const busy = ref(false)
  const seconds = computed(() => Math.max(0, Math.ceil(((sentTo.get(mobile()) ?? 0) + pause - time.value) / 1000)))

  async function send(): Promise<Answer<unknown> | undefined> {
    if (busy.value || seconds.value > 0) return undefined
    busy.value = true
    const to = mobile()
    const answer = type
      ? await api.post('/wx/auth/captcha', { mobile: to, type })
      : await api.post('/wx/auth/regCaptcha', { mobile: to })
    busy.value = false
    if (!answer.failure) sentTo.set(to, now())
    return answer
  }
  return { busy, seconds, send }
}
