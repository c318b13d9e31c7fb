import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/',
    name: 'home',
    component: () => import('./HomePage.vue'),
    meta: { title: 'home.title', keep: 'path', tab: 'home' },
  },
] satisfies RouteRecordRaw[]
