import './styles/base.css'
import './styles/served.css'
import './styles/vant.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, ready } from './i18n'
import { router } from './router'
import { failedAt, showPages } from './shell/arrival'

const app = createApp(App).use(createPinia()).use(i18n).use(router)

// A first page whose files do not arrive is shown by the application; without its texts nothing can be, and the page as
// the service has rendered it stays until they are there.
const page = router.isReady().catch(() => undefined)
void Promise.all([ready, page]).then(mount, () => failedAt(location.pathname + location.search))

function mount(): void {
  app.mount('#app')
  showPages()
  if (import.meta.env.PROD && 'serviceWorker' in navigator) void keepPages()
}

/** Registers the service worker, which keeps the files of all pages as soon as there is nothing else to do. */
async function keepPages(): Promise<void> {
  await navigator.serviceWorker.register('/worker.js')
  const { active } = await navigator.serviceWorker.ready
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return
  const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 3000))
  idle(() => active?.postMessage('keep'))
}
