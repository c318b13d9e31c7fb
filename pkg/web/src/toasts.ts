import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure } from './answer'
import { sentence } from './failure'

interface Toast {
  id: number
  text: string
  bad: boolean
  /** What can be done about it, such as undoing a removal. */
  action?: { text: string; act: () => void }
  /** The number of a request that failed, to copy. */
  request?: string
  /** Whether something was done since it appeared. */
  seen?: boolean
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

  /** To be called when something is done with the page: what stands there now belongs to what was before. */
  function notice(): void {
    for (const toast of toasts.value) toast.seen = true
  }

  /** Takes away what does not belong to a page that is about to be shown. What led to it stays. */
  function leave(): void {
    toasts.value = toasts.value.filter((t) => !t.seen)
  }

  /** Says that something is done. */
  function success(text: string, action?: { text: string; act: () => void }): void {
    show(text, false, { action })
  }

  /** Says what one should know besides. */
  function info(text: string): void {
    show(text, false)
  }

  /** Says why something did not work. */
  function error(failure: Failure): void {
    if (failure.kind !== 'cancelled' && failure.kind !== 'session') show(sentence(failure), true)
  }

  /** Says why something did not work, with the number of the request. */
  function report(failure: Failure): void {
    if (failure.kind === 'cancelled' || failure.kind === 'session') return
    show(sentence(failure), true, { request: failure.request })
  }
  return { toasts, success, info, error, report, drop, notice, leave }
})
