import { createApi } from '@shop/web/api'
import { i18n } from '@shop/web/i18n'
import { keepToken } from '@shop/web/token'
import { ref } from 'vue'
import type { components, paths } from './schema'

/** A record of the API document, such as Schema<'auth.Info'>. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N]

const kept = keepToken('shop.admin.token')

/** The token of the login; "" where nobody is logged in. */
export const token = kept.value
export const setToken = kept.set

/** False from a call that reached nobody until one that did. */
export const reachable = ref(true)

let ended: () => void = () => undefined

/** Sets what happens when the service no longer knows the token. */
export function onSessionEnd(act: () => void): void {
  ended = act
}

/** The one way to the service. It answers in the language of the page. */
export const api = createApi<paths>({
  tokenHeader: 'X-Shop-Admin-Token',
  token: () => token.value,
  sessionEnded: () => ended(),
  reached: (yes) => (reachable.value = yes),
  headers: () => ({ 'X-Shop-Language': i18n.global.locale.value }),
})
