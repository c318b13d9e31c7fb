import { createApi, type DataOf, type QueryOf } from '@shop/web/api'
import { i18n } from '@shop/web/i18n'
import { keepToken } from '@shop/web/token'
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

const kept = keepToken('shop.token')

/** The token of the login; "" where nobody is logged in. */
export const token = kept.value
export const setToken = kept.set

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
  // Answers to guests are kept for all of them, so these have the texts of the shop's language.
  headers: (): Record<string, string> => (token.value ? { 'X-Shop-Language': i18n.global.locale.value } : {}),
})
