import { shallowRef } from 'vue'
import type { Router } from 'vue-router'

/** The dialogs that are open, the uppermost last. What stands outside of it can be neither seen nor used. */
export const openDialogs = shallowRef<readonly HTMLElement[]>([])

/**
 * The way back closes the uppermost dialog instead of leaving the page, also where a browser does not do so by itself.
 * It has to be called before the router listens.
 */
export function noteWayBack(): (router: Router) => void {
  let back = false
  window.addEventListener('popstate', () => (back = true))
  return (router) =>
    router.beforeEach(() => {
      const top = back ? openDialogs.value.at(-1) : undefined
      back = false
      if (!(top instanceof HTMLDialogElement)) return true
      top.close()
      return false
    })
}

/** Keeps the page behind a dialog where it is. The place of its scroll bar is covered with it, and stays empty. */
export function keepStill(on: boolean): void {
  const { classList, clientWidth, style } = document.documentElement
  if (on && !classList.contains('still')) style.setProperty('--bar', `${window.innerWidth - clientWidth}px`)
  classList.toggle('still', on)
}

/** Notes that a dialog has opened or closed. */
export function noteDialog(dialog: HTMLElement, open: boolean): void {
  const others = openDialogs.value.filter((d) => d !== dialog)
  openDialogs.value = open ? [...others, dialog] : others
}
