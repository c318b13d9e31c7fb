import { followActs } from '@shop/web/focus'
import { createRouter, createWebHistory } from 'vue-router'
import { token } from './api'
import { places } from './console/places'
import { useSession } from './stores/session'

/** The routes: a page for each place of the menus, and those around them. */
export function makeRouter() {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
    routes: [
      { path: '/', name: 'home', component: () => import('./pages/HomePage.vue') },
      { path: '/login', name: 'login', component: () => import('./pages/LoginPage.vue'), meta: { open: true } },
      ...places.map((place) => ({
        path: place.path,
        name: place.path,
        component: place.screen,
        props: place.area ? { area: place.area } : {},
        meta: { page: place.page.id },
      })),
      { path: '/region', name: 'region', component: () => import('./pages/region/RegionPage.vue') },
      { path: '/:rest(.*)*', name: 'missing', component: () => import('./pages/MissingPage.vue') },
    ],
  })

  followActs(router)
  // Who is logged in and what they may do is known before a page asks for anything.
  router.beforeEach(async (to) => {
    const session = useSession()
    if (token.value && !session.operator) await session.read()
    const known = session.operator !== undefined
    if (to.meta.open) return known ? { path: '/' } : true
    return known ? true : { name: 'login', query: to.fullPath === '/' ? {} : { back: to.fullPath } }
  })

  // A page that was opened before an update asks for files that are gone: it is opened anew, once.
  window.addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(sessionStorage.getItem('shop.reopened') ?? 0) < 10_000 || !navigator.onLine) return
    sessionStorage.setItem('shop.reopened', String(Date.now()))
    event.preventDefault()
    location.reload()
  })
  return router
}
