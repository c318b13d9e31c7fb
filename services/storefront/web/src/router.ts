import { addressPrefix } from '@shop/web/language'
import { nextTick } from 'vue'
import { createRouter, createWebHistory, type RouteLocation, type RouterScrollBehavior } from 'vue-router'
import { token } from './api'
import { noteWayBack } from './composables/dialogs'
import account from './pages/account/routes'
import aftersale from './pages/aftersale/routes'
import buy from './pages/buy/routes'
import catalog from './pages/catalog/routes'
import content from './pages/content/routes'
import goods from './pages/goods/routes'
import home from './pages/home/routes'
import orders from './pages/orders/routes'
import promotion from './pages/promotion/routes'
import search from './pages/search/routes'
import { followPages } from './shell/arrival'

/** The way back, and a page that is loaded again, is where one was: a kept page has its height at once, another has to be read again. */
const scrollBehavior: RouterScrollBehavior = async (to, from, saved) => {
  if (to.hash) return { el: to.hash, top: 72 }
  if (!saved) return to.path === from.path ? false : { top: 0 }
  await nextTick()
  return (await grown(saved.top)) && saved
}

const maxPauses = 60 // pauses in which a page may stay as high as it is

/** Waits for the height of a page; a list grows as one comes to its end. False where the page is moved by hand meanwhile. */
async function grown(top: number): Promise<boolean> {
  const end = new AbortController()
  for (const name of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    window.addEventListener(name, () => end.abort(), { signal: end.signal, passive: true })
  let height = 0
  for (let left = maxPauses; left > 0 && !highEnough(top) && !end.signal.aborted; left--) {
    const { scrollHeight } = document.documentElement
    if (scrollHeight > height) {
      left = maxPauses
      height = scrollHeight
      window.scrollTo({ top: height })
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const free = !end.signal.aborted
  end.abort()
  return free
}

function highEnough(top: number): boolean {
  return document.documentElement.scrollHeight >= top + window.innerHeight
}

const wayBack = noteWayBack()

export const router = createRouter({
  history: createWebHistory(addressPrefix()),
  scrollBehavior,
  routes: [
    ...home,
    ...goods,
    ...catalog,
    ...search,
    ...content,
    ...promotion,
    ...buy,
    ...orders,
    ...aftersale,
    ...account,
    { path: '/:rest(.*)*', name: 'missing', component: () => import('./pages/MissingPage.vue') },
  ],
})

wayBack(router)
followPages(router)
router.beforeEach((to) => (to.meta.login && !token.value ? loginFrom(to) : true))

/** The login that leads back to a page. */
export function loginFrom(page: Pick<RouteLocation, 'query' | 'fullPath'> & { name?: unknown }) {
  return { name: 'login', query: page.name === 'login' ? page.query : { back: page.fullPath } }
}
