import { ref, type Ref } from 'vue'

/** A value that the browser keeps, shared by all tabs. */
export interface Kept<T> {
  readonly value: Ref<T>
  /** Changes what is kept now, which another tab may have changed. undefined removes it. */
  change(next: (now: T) => T | undefined): void
}

/** Keeps a value in the browser and follows the other tabs. */
export function useKept<T>(place: string, read: (raw: unknown) => T): Kept<T> {
  const stored = () => read(parsed(localStorage.getItem(place)))
  const value = ref(stored()) as Ref<T>
  window.addEventListener('storage', (event) => {
    // The key is null where everything was cleared.
    if (event.key === place || event.key === null) value.value = stored()
  })
  function change(next: (now: T) => T | undefined): void {
    const changed = next(stored())
    if (changed === undefined) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(changed))
    value.value = stored()
  }
  return { value, change }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
