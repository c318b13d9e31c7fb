import type { RouteRecordRaw } from 'vue-router'

const later = () => import('@/pages/LaterPage.vue')

export default [
  {
    path: '/cart',
    name: 'cart',
    component: later,
    meta: { title: 'buy.title.cart', tab: 'cart' },
  },
  {
    path: '/checkout',
    name: 'checkout',
    component: later,
    meta: { title: 'buy.title.checkout', login: true },
  },
  {
    path: '/pay/:id(\\d+)',
    name: 'pay',
    component: later,
    meta: { title: 'buy.title.pay', login: true },
  },
  {
    path: '/pay/:id(\\d+)/result',
    name: 'paid',
    component: later,
    meta: { title: 'buy.title.paid', login: true },
  },
] satisfies RouteRecordRaw[]
