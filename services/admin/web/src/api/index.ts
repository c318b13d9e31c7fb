import { failed } from '@shop/web/answer'
import { createApi } from '@shop/web/api'
import { i18n } from '@shop/web/i18n'
import { keepToken } from '@shop/web/token'
import { ref } from 'vue'
import type { components, paths } from './schema'
import { view } from './view'

/** A record of the API document, such as Schema<'access.Info'>. */
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

const service = createApi<paths>({
  tokenHeader: 'X-Shop-Admin-Token',
  token: () => token.value,
  sessionEnded: () => ended(),
  reached: (yes) => (reachable.value = yes),
  headers: () => ({
    'X-Shop-Language': i18n.global.locale.value,
    ...(view.value && { 'X-Shop-View-As': String(view.value.id) }),
  }),
})

/** Nothing is sent that the service would refuse to who looks at the console as a role. */
function unlessViewing<F extends typeof service.post | typeof service.upload>(send: F): F {
  const refuse = () => Promise.resolve(failed('refused', i18n.global.t('rights.view.readOnly')))
  return ((...args: never[]) => (view.value ? refuse() : (send as (...a: never[]) => unknown)(...args))) as F
}

/** The one way to the service. It answers in the language of the page. */
export const api = { ...service, post: unlessViewing(service.post), upload: unlessViewing(service.upload) }
