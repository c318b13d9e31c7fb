import { nextTick, watch, type Ref } from 'vue'

/** Leads the way back from an open record to what opened it in the list. */
export function useWayBack(open: Ref<string>): void {
  watch(open, async (now, before) => {
    if (now !== '' || !before) return
    await nextTick()
    document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(before)}"]`)?.focus()
  })
}
