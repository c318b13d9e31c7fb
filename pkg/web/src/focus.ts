/** Where the focus was when the last navigation began, and whether the reader has pressed a key or a button since. */
let from: Element | null = null
let acted = false

/** Follows what the reader does after each navigation. Called once, by the router of an application. */
export function followActs(router: { beforeEach(guard: () => void): unknown }): void {
  router.beforeEach(() => {
    from = document.activeElement
    acted = false
  })
  for (const type of ['pointerdown', 'keydown'])
    window.addEventListener(type, () => (acted = true), { capture: true, passive: true })
}

/**
 * Puts the focus where a page goes on, unless the reader has put it elsewhere since the navigation: a menu that they
 * opened while the page was loading stays open. Inside `own`, the part of the page that asks, it always moves.
 */
export function takeFocus(to: HTMLElement | null | undefined, own?: Element | null): void {
  const at = document.activeElement
  const free = !acted || !at || at === from || at.matches('body, main') || own?.contains(at)
  if (free) to?.focus({ preventScroll: to.matches('main') })
}
