import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/goods/:id(\\d+)',
    name: 'goods',
    component: () => import('./GoodsPage.vue'),
    meta: { title: 'goods.title', keep: 'path' },
  },
  {
    path: '/goods/:id(\\d+)/comments',
    name: 'goods-comments',
    component: () => import('./CommentsPage.vue'),
    meta: { title: 'goods.comments.title', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
