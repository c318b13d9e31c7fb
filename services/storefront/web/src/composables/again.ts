import { onActivated } from 'vue'
import type { Router, RouteLocationRaw } from 'vue-router'

/** Does something whenever a kept page is shown again, and not when it is shown for the first time. */
export function useAgain(act: () => void): void {
  let first = true
  onActivated(() => {
    if (!first) act()
    first = false
  })
}

/** Leaves a page that is done with: one step back where that leads to the page, else to it in place of this one. */
export async function leaveFor(router: Router, to: RouteLocationRaw): Promise<void> {
  const { back } = window.history.state as { back?: string | null }
  if (back && router.resolve(back).path === router.resolve(to).path) router.back()
  else await router.replace(to)
}
