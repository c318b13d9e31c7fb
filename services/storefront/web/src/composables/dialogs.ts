import { shallowRef } from 'vue'

/** The dialogs that are open, the uppermost last. What stands outside of it can be neither seen nor used. */
export const openDialogs = shallowRef<readonly HTMLElement[]>([])

/** Notes that a dialog has opened or closed. */
export function noteDialog(dialog: HTMLElement, open: boolean): void {
  const others = openDialogs.value.filter((d) => d !== dialog)
  openDialogs.value = open ? [...others, dialog] : others
}
