import { computed } from 'vue'
import { useRoute, useRouter, type Router } from 'vue-router'

const entry = ['login', 'register', 'reset', 'missing']

/** A page of this shop that an address names, undefined for anything else: nobody is led to another host. */
export function backPath(router: Pick<Router, 'resolve'>, wanted: unknown): string | undefined {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted)) return undefined
  return entry.includes(String(router.resolve(wanted).name)) ? undefined : wanted
}

/** The way from the login back to where one was, and to the other pages of it without losing that. */
export function useWayBack() {
  const route = useRoute()
  const router = useRouter()
  const target = backPath(router, route.query.back)

  /** Back, without a second entry of the same page on the way back. */
  async function leave(): Promise<void> {
    if (target && window.history.state?.back === target) router.back()
    else await router.replace(target ?? { name: 'account' })
  }
  const query = computed(() => (target ? { back: target } : {}))
  return { leave, query }
}
