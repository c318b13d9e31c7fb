import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { api, onSessionEnd, setToken, token } from '@/api'
import type { Schema } from '@/api'
import { i18n } from '@/i18n'
import { draftsOf, forgetDrafts } from '@shop/web/draft'
import { forgetSeen } from '@/composables/seen'
import { useKept } from '@shop/web/kept'
import { useToasts } from '@shop/web/toasts'

/** Who is logged in. */
export const useSession = defineStore('session', () => {
  const kept = useKept('shop.user', (raw) => (raw as Schema<'auth.UserInfo'> | null) ?? undefined)
  const user = kept.value
  const loggedIn = computed(() => token.value !== '')
  /** Changes with every login and logout: what was read for one shopper is not shown to the next. */
  const turn = ref(0)
  watch(token, () => turn.value++)

  /** Begins with the answer of login or registration. */
  function begin(entry: Schema<'auth.Entry'>): void {
    draftsOf(entry.userInfo.nickName)
    know(entry.userInfo)
    setToken(entry.token)
  }

  /** Keeps what is shown of the shopper, such as after a change of the profile. */
  function know(info: Schema<'auth.UserInfo'>): void {
    kept.change(() => info)
  }

  function end(): void {
    if (user.value) draftsOf(user.value.nickName)
    kept.change(() => undefined)
    setToken('')
  }

  /** Ends it at the service as well. A service that does not answer does not keep anybody logged in here. */
  async function logout(): Promise<void> {
    if (loggedIn.value) await api.post('/wx/auth/logout')
    forgetDrafts()
    forgetSeen()
    end()
  }

  /** Sets what happens after a login that the service has ended. */
  function whenEnded(leave: () => void): void {
    onSessionEnd(() => {
      if (!loggedIn.value) return
      end()
      useToasts().info(i18n.global.t('common.failure.session'))
      leave()
    })
  }
  return { user, loggedIn, turn, begin, know, end, logout, whenEnded }
})
