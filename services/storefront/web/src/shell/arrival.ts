import { ref } from 'vue'
import type { Router } from 'vue-router'

/** Whether a page is on its way whose files have not arrived. */
export const loading = ref(false)

/** Where the last page is whose files did not arrive, until another one opens. */
export const missed = ref<string>()

const key = 'shop.reopened'
let timer: ReturnType<typeof setTimeout> | undefined
let address = ''
let shown = false

/**
 * Follows the router: every page that does not arrive is opened anew, at once and then after ever longer waits, since
 * the files of a page that was opened before an update are gone, and a browser does not ask again for a script that
 * failed. Without a network it waits for one.
 */
export function followPages(router: Router): void {
  router.beforeEach((to, from) => {
    loading.value = to.path !== from.path
  })
  router.afterEach((_to, _from, failure) => {
    loading.value = false
    if (!failure && shown) arrived()
  })
  router.onError((_error, to) => failedAt(router.resolve(to.fullPath).href))
  window.addEventListener('online', () => missed.value && reopen())
}

/** Begins to count pages as arrived: the application has its texts, and the first page or a word instead of it. */
export function showPages(): void {
  shown = true
  if (!missed.value) arrived()
}

function arrived(): void {
  missed.value = undefined
  clearTimeout(timer)
  sessionStorage.removeItem(key)
}

/** Says that the files of a page did not arrive, and tries it again. */
export function failedAt(page: string): void {
  loading.value = false
  missed.value = address = page
  clearTimeout(timer)
  const tries = Number(sessionStorage.getItem(key) ?? 0)
  sessionStorage.setItem(key, String(tries + 1))
  later(tries)
}

function later(tries: number): void {
  timer = setTimeout(() => void retry(tries), tries ? Math.min(60, 2.5 * 2 ** tries) * 1000 : 0)
}

// What answers with an error, or not at all, would replace a page that can be read by one that cannot.
async function retry(tries: number): Promise<void> {
  if (!navigator.onLine) return
  // eslint-disable-next-line no-restricted-globals -- it asks for a page
  const ok = await fetch(address, { method: 'HEAD' }).then(
    (answer) => answer.status < 500,
    () => false,
  )
  if (ok) reopen()
  else later(tries + 1)
}

/** Opens the page that did not arrive. */
export function reopen(): void {
  const { pathname, search } = location
  if (address.replace(/#.*/, '') === pathname + search) location.reload()
  else location.assign(address)
}
