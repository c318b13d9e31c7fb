import { ref, type Ref } from 'vue'

/** The token of a login, which the browser keeps. */
export interface Token {
  /** "" where nobody is logged in. */
  readonly value: Ref<string>
  set(token: string): void
}

/** Keeps the token at a place in the storage. Who logs in or out in one tab does so in all. */
export function keepToken(place: string): Token {
  const value = ref(localStorage.getItem(place) ?? '')
  window.addEventListener('storage', (event) => {
    if (event.key === place) value.value = event.newValue ?? ''
  })
  function set(token: string): void {
    value.value = token
    if (token) localStorage.setItem(place, token)
    else localStorage.removeItem(place)
  }
  return { value, set }
}
