import type { RouteRecordRaw } from 'vue-router'
import { token } from '@/api'

/** Who is logged in has nothing to do on the pages that lead to it. */
const guestsOnly = () => (token.value ? { name: 'account' } : true)

export default [
  {
    path: '/account',
    name: 'account',
    component: () => import('./AccountPage.vue'),
    meta: { title: 'account.title.account', tab: 'account', keep: 'path' },
  },
  {
    path: '/login',
    name: 'login',
    beforeEnter: guestsOnly,
    component: () => import('./LoginPage.vue'),
    meta: { title: 'account.title.login' },
  },
  {
    path: '/register',
    name: 'register',
    beforeEnter: guestsOnly,
    component: () => import('./RegisterPage.vue'),
    meta: { title: 'account.title.register' },
  },
  {
    path: '/reset-password',
    name: 'reset',
    component: () => import('./ResetPage.vue'),
    meta: { title: 'account.title.reset' },
  },
  {
    path: '/account/profile',
    name: 'profile',
    component: () => import('./ProfilePage.vue'),
    meta: { title: 'account.title.profile', login: true },
  },
  {
    path: '/account/mobile',
    name: 'mobile',
    component: () => import('./MobilePage.vue'),
    meta: { title: 'account.title.mobile', login: true },
  },
  {
    path: '/account/addresses',
    name: 'addresses',
    component: () => import('./AddressesPage.vue'),
    meta: { title: 'account.title.addresses', login: true },
  },
  {
    path: '/account/addresses/:id(\\d+|new)',
    name: 'address',
    component: () => import('./AddressPage.vue'),
    meta: { title: 'account.title.address', login: true },
  },
  {
    path: '/my/groups',
    name: 'my-groups',
    component: () => import('./GroupsPage.vue'),
    meta: { title: 'account.title.groups', login: true, keep: 'path' },
  },
  {
    path: '/my/groups/:id(\\d+)',
    name: 'my-group',
    component: () => import('./GroupPage.vue'),
    meta: { title: 'account.title.group', login: true },
  },
  {
    path: '/my/coupons',
    name: 'my-coupons',
    component: () => import('./CouponsPage.vue'),
    meta: { title: 'account.title.coupons', login: true, keep: 'path' },
  },
  {
    path: '/my/favourites',
    name: 'favourites',
    component: () => import('./FavouritesPage.vue'),
    meta: { title: 'account.title.favourites', login: true, keep: 'path' },
  },
  {
    path: '/my/footprints',
    name: 'footprints',
    component: () => import('./FootprintsPage.vue'),
    meta: { title: 'account.title.footprints', login: true, keep: 'path' },
  },
  {
    path: '/my/feedback',
    name: 'feedback',
    component: () => import('./FeedbackPage.vue'),
    meta: { title: 'account.title.feedback', login: true },
  },
] satisfies RouteRecordRaw[]
