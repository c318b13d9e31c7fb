import type { RouteRecordRaw } from 'vue-router'

const later = () => import('@/pages/LaterPage.vue')

export default [
  {
    path: '/account',
    name: 'account',
    component: later,
    meta: { title: 'account.title.account', tab: 'account' },
  },
  {
    path: '/login',
    name: 'login',
    component: later,
    meta: { title: 'account.title.login' },
  },
  {
    path: '/register',
    name: 'register',
    component: later,
    meta: { title: 'account.title.register' },
  },
  {
    path: '/reset-password',
    name: 'reset',
    component: later,
    meta: { title: 'account.title.reset' },
  },
  {
    path: '/account/profile',
    name: 'profile',
    component: later,
    meta: { title: 'account.title.profile', login: true },
  },
  {
    path: '/account/mobile',
    name: 'mobile',
    component: later,
    meta: { title: 'account.title.mobile', login: true },
  },
  {
    path: '/account/addresses',
    name: 'addresses',
    component: later,
    meta: { title: 'account.title.addresses', login: true },
  },
  {
    path: '/account/addresses/:id(\\d+|new)',
    name: 'address',
    component: later,
    meta: { title: 'account.title.address', login: true },
  },
] satisfies RouteRecordRaw[]
