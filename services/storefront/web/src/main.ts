import './styles/base.css'
import './styles/vant.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, ready } from './i18n'
import { router } from './router'

const app = createApp(App).use(createPinia()).use(i18n).use(router)

void Promise.all([ready, router.isReady()]).then(() => {
  app.mount('#app')
  if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('/worker.js')
})
