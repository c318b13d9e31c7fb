import './styles/base.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { i18n, ready } from './i18n'
import { makeRouter } from './router'

const app = createApp(App).use(createPinia()).use(i18n)
const router = makeRouter()
app.use(router)

void Promise.all([ready, router.isReady()]).then(() => app.mount('#app'))
