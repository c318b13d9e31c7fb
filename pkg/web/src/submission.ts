import { ref } from 'vue'
import type { Answer } from './answer'
import { isLost } from './answer'

interface Kept {
  key: string
  body: string
}

/**
 * Sends what a form holds, at most once at a time. The Idempotency-Key belongs to the form and what it says, and is
 * kept until an answer has come, over a reload as well: sending the same again after a lost answer has one effect.
 */
export function useSubmission<B, T>(form: string, send: (body: B, key: string) => Promise<Answer<T>>) {
  const busy = ref(false)
  const place = 'shop.key.' + form

  function keyOf(body: string): string {
    const kept = parse(sessionStorage.getItem(place))
    if (kept?.body === body) return kept.key
    const key = newKey()
    sessionStorage.setItem(place, JSON.stringify({ key, body }))
    return key
  }

  /** Sends; undefined where the same form is being sent already, as by a double tap. */
  async function submit(body: B): Promise<Answer<T> | undefined> {
    if (busy.value) return undefined
    busy.value = true
    try {
      const answer = await send(body, keyOf(JSON.stringify(body)))
      if (!answer.failure || !isLost(answer.failure)) sessionStorage.removeItem(place)
      return answer
    } finally {
      busy.value = false
    }
  }
  return { busy, submit }
}

/** A new Idempotency-Key. */
export function newKey(): string {
  // randomUUID is missing where a page comes over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('')
}

function parse(text: string | null): Kept | undefined {
  if (text === null) return undefined
  try {
    return JSON.parse(text) as Kept
  } catch {
    return undefined
  }
}
