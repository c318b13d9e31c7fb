import { reactive, watch } from 'vue'

const place = 'shop.draft.'
const owner = 'shop.drafts'

/**
 * What is typed into a form, kept until it is sent: over a reload, over a look at another page, and over the end of a
 * login in the middle of it. No passwords: they stay out of the storage, if need be by storable, which says what is kept.
 */
export function useDraft<V extends object>(name: string, start: V, storable = (now: V) => now) {
  const kept = stored<V>(place + name)
  const values = reactive({ ...start, ...kept }) as V
  let base = JSON.stringify(start)
  watch(values, (now) => {
    const text = JSON.stringify(storable(now as V))
    if (text === base) sessionStorage.removeItem(place + name)
    else sessionStorage.setItem(place + name, text)
  })

  /** Begins with what the service has; what was typed before stays. */
  function begin(from: Partial<V>): void {
    base = JSON.stringify({ ...start, ...from })
    if (!kept) Object.assign(values, from)
  }

  /** Forgets what is kept, after it was sent. */
  function forget(): void {
    base = JSON.stringify(values)
    sessionStorage.removeItem(place + name)
  }
  return { values, begin, forget }
}

/** Whose the kept drafts are: those of one shopper are not shown to the next. */
export function draftsOf(shopper: string): void {
  const before = sessionStorage.getItem(owner)
  if (before !== null && before !== shopper) forgetDrafts()
  sessionStorage.setItem(owner, shopper)
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(place)) sessionStorage.removeItem(key)
}

function stored<V>(key: string): Partial<V> | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<V> | null) ?? undefined
  } catch {
    return undefined
  }
}
