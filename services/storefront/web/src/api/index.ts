import { createApi, type DataOf, type QueryOf } from '@shop/web/api'
import { ref } from 'vue'
import type { components, paths } from './schema'

/** A record of the API document, such as Schema<'catalog.Summary'>. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N]
/** What a read brings. */
export type Read<P extends keyof paths> = paths[P] extends { get: infer O } ? DataOf<O> : never
/** What a read may be asked. */
export type Query<P extends keyof paths> = paths[P] extends { get: infer O } ? QueryOf<O> : never

/** False from a call that reached nobody until one that did. */
export const reachable = ref(true)

const place = 'shop.token'

/** The token of the login; "" where nobody is logged in. */
export const token = ref(localStorage.getItem(place) ?? '')

export function setToken(value: string): void {
  token.value = value
  if (value) localStorage.setItem(place, value)
  else localStorage.removeItem(place)
}

// Who logs in or out in one tab does so in all.
window.addEventListener('storage', (event) => {
  if (event.key === place) token.value = event.newValue ?? ''
})

let ended: () => void = () => undefined

/** Sets what happens when the service no longer knows the token. */
export function onSessionEnd(act: () => void): void {
  ended = act
}

/** The one way to the service. */
export const api = createApi<paths>({
  tokenHeader: 'X-Shop-Token',
  token: () => token.value,
  sessionEnded: () => ended(),
  reached: (yes) => (reachable.value = yes),
})
