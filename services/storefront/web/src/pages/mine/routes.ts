import type { RouteRecordRaw } from 'vue-router'

const later = () => import('@/pages/LaterPage.vue')

export default [
  {
    path: '/my/groups',
    name: 'my-groups',
    component: later,
    meta: { title: 'mine.title.groups', login: true, keep: 'query' },
  },
  {
    path: '/my/groups/:id(\\d+)',
    name: 'my-group',
    component: later,
    meta: { title: 'mine.title.group', login: true },
  },
  {
    path: '/my/coupons',
    name: 'my-coupons',
    component: later,
    meta: { title: 'mine.title.coupons', login: true, keep: 'query' },
  },
  {
    path: '/my/favourites',
    name: 'favourites',
    component: later,
    meta: { title: 'mine.title.favourites', login: true, keep: 'query' },
  },
  {
    path: '/my/footprints',
    name: 'footprints',
    component: later,
    meta: { title: 'mine.title.footprints', login: true, keep: 'query' },
  },
  {
    path: '/my/feedback',
    name: 'feedback',
    component: later,
    meta: { title: 'mine.title.feedback', login: true },
  },
] satisfies RouteRecordRaw[]
