import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/groups',
    name: 'groups',
    component: () => import('./GroupsPage.vue'),
    meta: { title: 'promotion.title.groups', keep: 'path' },
  },
  {
    path: '/groups/:id(\\d+)',
    name: 'group',
    component: () => import('./GroupPage.vue'),
    meta: { title: 'promotion.title.group' },
  },
  {
    path: '/coupons',
    name: 'coupons',
    component: () => import('./CouponsPage.vue'),
    meta: { title: 'promotion.title.coupons', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
