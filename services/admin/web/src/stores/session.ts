import type { Answer } from '@shop/web/answer'
import { draftsOf, forgetDrafts } from '@shop/web/draft'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { api, onSessionEnd, type Schema, setToken, token } from '@/api'
import { dropView, view } from '@/api/view'

/** Who works with the console, and what they may do. */
export const useSession = defineStore('session', () => {
  const operator = shallowRef<Schema<'access.Info'>>()
  const held = computed(() => new Set<string>(operator.value?.permissions ?? []))
  /** True when the service has ended the login while somebody works: the page stays, and asks for it again. */
  const ended = ref(false)
  /** True while a logout is on its way: nothing is asked any more. */
  const leaving = ref(false)
  /** Rises with every login: what failed for want of one is read again. */
  const turn = ref(0)

  /** Whether the operator may call an operation that requires this permission; all may if it is "". */
  function may(permission: string): boolean {
    return operator.value !== undefined && (permission === '' || held.value.has('*') || held.value.has(permission))
  }

  /** Reads who is logged in and what they may do. */
  async function read(): Promise<Answer<Schema<'access.Info'>>> {
    const answer = await api.get('/admin/auth/info')
    if (answer.data) operator.value = answer.data
    else if (view.value && answer.failure.kind === 'refused') {
      dropView() // the role is gone, or the right to look through it
      return read()
    }
    return answer
  }

  /** Logs in. Another operator than before does not get the page of the first. */
  async function login(username: string, password: string): Promise<Answer<unknown>> {
    dropView()
    const answer = await api.post('/admin/auth/login', { username, password })
    if (answer.failure) return answer
    const before = operator.value?.name
    setToken(answer.data.token)
    draftsOf(answer.data.adminInfo.nickName)
    const info = await read()
    if (info.failure) return info
    if (ended.value && before !== info.data.name) return location.assign('/') as never
    ended.value = false
    turn.value++
    return info
  }

  /** Ends the login, at the service as well. A service that does not answer does not keep anybody logged in here. */
  async function logout(): Promise<void> {
    dropView()
    leaving.value = true
    if (token.value) await api.post('/admin/auth/logout')
    forgetDrafts()
    leave()
    leaving.value = false
  }

  /** Forgets the login on this device. */
  function leave(): void {
    setToken('')
    operator.value = undefined
    ended.value = false
  }

  onSessionEnd(() => {
    if (operator.value) ended.value = true
    else setToken('')
  })
  // Another tab has logged out, or logged in again.
  watch(token, (now) => {
    if (now === '' && operator.value) operator.value = undefined
  })
  return { operator, ended, leaving, turn, may, read, login, logout, leave }
})
