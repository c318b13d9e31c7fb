import { followActs } from '@shop/web/focus'
import { nextTick } from 'vue'
import { createRouter, createWebHistory, type RouteLocation, type RouterScrollBehavior } from 'vue-router'
import { token } from './api'
import account from './pages/account/routes'
import after from './pages/after/routes'
import buy from './pages/buy/routes'
import find from './pages/find/routes'
import goods from './pages/goods/routes'
import home from './pages/home/routes'
import mine from './pages/mine/routes'

/** The way back is where one was: a kept page has its height at once, another gets a moment to be read again. */
const scrollBehavior: RouterScrollBehavior = async (to, from, saved) => {
  if (to.hash) return { el: to.hash, top: 72 }
  if (!saved) return to.path === from.path ? false : { top: 0 }
  await nextTick()
  for (let i = 0; i < 40 && !highEnough(saved.top); i++) await new Promise((resolve) => setTimeout(resolve, 25))
  return saved
}

function highEnough(top: number): boolean {
  return document.documentElement.scrollHeight >= top + window.innerHeight
}

export const router = createRouter({
  history: createWebHistory(),
  scrollBehavior,
  routes: [
    ...home,
    ...goods,
    ...find,
    ...buy,
    ...after,
    ...account,
    ...mine,
    { path: '/:rest(.*)*', name: 'missing', component: () => import('./pages/MissingPage.vue') },
  ],
})

followActs(router)
router.beforeEach((to) => (to.meta.login && !token.value ? loginFrom(to) : true))

/** The login that leads back to a page. */
export function loginFrom(page: Pick<RouteLocation, 'query' | 'fullPath'> & { name?: unknown }) {
  return { name: 'login', query: page.name === 'login' ? page.query : { back: page.fullPath } }
}

// A page that was opened before an update asks for files that are gone: it is opened anew, once.
window.addEventListener('vite:preloadError', (event) => {
  if (Date.now() - Number(sessionStorage.getItem('shop.reopened') ?? 0) < 10_000 || !navigator.onLine) return
  sessionStorage.setItem('shop.reopened', String(Date.now()))
  event.preventDefault()
  location.reload()
})
