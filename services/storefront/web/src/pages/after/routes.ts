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
  {
    path: '/my/groups',
    name: 'my-groups',
    component: later,
    meta: { title: 'after.title.groups', login: true, keep: 'query' },
  },
  {
    path: '/my/groups/:id(\\d+)',
    name: 'my-group',
    component: later,
    meta: { title: 'after.title.group', login: true },
  },
  {
    path: '/my/coupons',
    name: 'my-coupons',
    component: later,
    meta: { title: 'after.title.coupons', login: true, keep: 'query' },
  },
  {
    path: '/my/favourites',
    name: 'favourites',
    component: later,
    meta: { title: 'after.title.favourites', login: true, keep: 'query' },
  },
  {
    path: '/my/footprints',
    name: 'footprints',
    component: later,
    meta: { title: 'after.title.footprints', login: true, keep: 'query' },
  },
  {
    path: '/my/feedback',
    name: 'feedback',
    component: later,
    meta: { title: 'after.title.feedback', login: true },
  },
] satisfies RouteRecordRaw[]
