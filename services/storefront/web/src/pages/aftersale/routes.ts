import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/after-sale',
    name: 'cases',
    component: () => import('./CasesPage.vue'),
    meta: { title: 'aftersale.title.cases', login: true, keep: 'path' },
  },
  {
    path: '/after-sale/:order(\\d+)',
    name: 'case',
    component: () => import('./CasePage.vue'),
    meta: { title: 'aftersale.title.case', login: true },
  },
] satisfies RouteRecordRaw[]
