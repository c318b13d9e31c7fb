import { ref, shallowRef } from 'vue'

/** What a dialog asks about. It stays while the dialog closes, so that the dialog keeps its words until it is gone. */
export function useQuestion<T>() {
  const asked = shallowRef<T>()
  const open = ref(false)

  function ask(about: T): void {
    asked.value = about
    open.value = true
  }
  return { asked, open, ask }
}
