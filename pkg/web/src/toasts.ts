import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure } from './answer'
import { i18n } from './i18n'
import { sentence } from './failure'

interface Toast {
  id: number
  text: string
  bad: boolean
  /** What can be done about it, such as undoing a removal. */
  action?: { text: string; act: () => void }
  /** The number of a request that failed, to copy. */
  request?: string
}

const lasts = 3200
const lastsWithAction = 7000
const lastsWithRequest = 20_000

/** Short messages above the page. Screen readers say them, too. */
export const useToasts = defineStore('toasts', () => {
  const toasts = ref<Toast[]>([])
  let last = 0

  function show(text: string, bad: boolean, more: Pick<Toast, 'action' | 'request'> = {}): void {
    const id = ++last
    toasts.value = [...toasts.value.filter((t) => t.text !== text).slice(-1), { id, text, bad, ...more }]
    setTimeout(() => drop(id), more.request ? lastsWithRequest : more.action ? lastsWithAction : lasts)
  }

  function drop(id: number): void {
    toasts.value = toasts.value.filter((t) => t.id !== id)
  }

  /** Says a text of the pages, by its key. */
  function tell(key: string, action?: { text: string; act: () => void }): void {
    show(i18n.global.t(key), false, { action })
  }

  /** Says a text that is put together already. */
  function remark(text: string): void {
    show(text, false)
  }

  /** Says why something did not work. */
  function complain(failure: Failure): void {
    if (failure.kind !== 'cancelled' && failure.kind !== 'session') show(sentence(failure), true)
  }

  /** Says why something did not work, with the number of the request. */
  function report(failure: Failure): void {
    if (failure.kind === 'cancelled' || failure.kind === 'session') return
    show(sentence(failure), true, { request: failure.request })
  }
  return { toasts, tell, remark, complain, report, drop }
})
