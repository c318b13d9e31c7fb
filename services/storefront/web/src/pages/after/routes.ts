import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/orders',
    name: 'orders',
    component: () => import('./OrdersPage.vue'),
    meta: { title: 'after.title.orders', login: true, keep: 'path' },
  },
  {
    path: '/orders/:id(\\d+)',
    name: 'order',
    component: () => import('./OrderPage.vue'),
    meta: { title: 'after.title.order', login: true },
  },
  {
    path: '/orders/:id(\\d+)/review/:line(\\d+)',
    name: 'order-review',
    component: () => import('./ReviewPage.vue'),
    meta: { title: 'after.title.review', login: true },
  },
  {
    path: '/after-sale',
    name: 'cases',
    component: () => import('./CasesPage.vue'),
    meta: { title: 'after.title.cases', login: true, keep: 'path' },
  },
  {
    path: '/after-sale/:order(\\d+)',
    name: 'case',
    component: () => import('./CasePage.vue'),
    meta: { title: 'after.title.case', login: true },
  },
] satisfies RouteRecordRaw[]
