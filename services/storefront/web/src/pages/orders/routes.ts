import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/orders',
    name: 'orders',
    component: () => import('./OrdersPage.vue'),
    meta: { title: 'orders.title.orders', login: true, keep: 'path' },
  },
  {
    path: '/orders/:id(\\d+)',
    name: 'order',
    component: () => import('./OrderPage.vue'),
    meta: { title: 'orders.title.order', login: true },
  },
  {
    path: '/orders/:id(\\d+)/review/:line(\\d+)',
    name: 'order-review',
    component: () => import('./ReviewPage.vue'),
    meta: { title: 'orders.title.review', login: true },
  },
] satisfies RouteRecordRaw[]
