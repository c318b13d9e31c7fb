import { useRoute, useRouter, type RouteLocationRaw } from 'vue-router'
import { token } from '@/api'
import { loginFrom } from '@/router'

/** Asks whether somebody is logged in; who is not is led to the login, and from there back to this page or `back`. */
export function useLoginFirst() {
  const router = useRouter()
  const route = useRoute()
  return (back?: RouteLocationRaw): boolean => {
    if (token.value) return true
    void router.push(loginFrom(back ? router.resolve(back) : route))
    return false
  }
}
