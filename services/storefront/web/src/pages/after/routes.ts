import type { RouteRecordRaw } from 'vue-router'

const later = () => import('@/pages/LaterPage.vue')

export default [
  {
    path: '/orders',
    name: 'orders',
    component: later,
    meta: { title: 'after.title.orders', login: true, keep: 'query' },
  },
  {
    path: '/orders/:id(\\d+)',
    name: 'order',
    component: later,
    meta: { title: 'after.title.order', login: true },
  },
  {
    path: '/orders/:id(\\d+)/review/:line(\\d+)',
    name: 'order-review',
    component: later,
    meta: { title: 'after.title.review', login: true },
  },
  {
    path: '/after-sale',
    name: 'cases',
    component: later,
    meta: { title: 'after.title.cases', login: true, keep: 'query' },
  },
  {
    path: '/after-sale/:order(\\d+)',
    name: 'case',
    component: later,
    meta: { title: 'after.title.case', login: true },
  },
] satisfies RouteRecordRaw[]
