import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/search',
    name: 'search',
    component: () => import('./SearchPage.vue'),
    meta: { title: 'search.title' },
  },
] satisfies RouteRecordRaw[]
