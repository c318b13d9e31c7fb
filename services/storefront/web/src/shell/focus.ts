import { useEventListener } from '@vueuse/core'

/** Shows what keys give the focus to as a whole, also in a row that is swiped sideways, where browsers stop halfway. */
export function keepFocusSeen(): void {
  useEventListener(document, 'focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.tabIndex < 0 || !target.matches(':focus-visible')) return
    const part = target.closest('.strip > *') // such a row stops at the beginning of its parts only
    ;(part ?? target).scrollIntoView({ block: 'nearest', inline: part ? 'start' : 'nearest' })
  })
}
