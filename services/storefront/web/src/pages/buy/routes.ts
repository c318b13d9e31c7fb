import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/cart',
    name: 'cart',
    component: () => import('./CartPage.vue'),
    meta: { title: 'buy.title.cart', tab: 'cart' },
  },
  {
    path: '/checkout',
    name: 'checkout',
    component: () => import('./CheckoutPage.vue'),
    meta: { title: 'buy.title.checkout', login: true },
  },
  {
    path: '/pay/:id(\\d+)',
    name: 'pay',
    component: () => import('./PayPage.vue'),
    meta: { title: 'buy.title.pay', login: true },
  },
  {
    path: '/pay/:id(\\d+)/result',
    name: 'paid',
    component: () => import('./PaidPage.vue'),
    meta: { title: 'buy.title.paid', login: true },
  },
] satisfies RouteRecordRaw[]
