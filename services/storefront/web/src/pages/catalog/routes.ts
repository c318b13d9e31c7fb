import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/category/:id(\\d+)?',
    name: 'category',
    component: () => import('./CategoryPage.vue'),
    meta: { title: 'catalog.title.category', keep: 'entry', tab: 'category' },
  },
  {
    path: '/goods',
    name: 'goods-list',
    component: () => import('./GoodsListPage.vue'),
    meta: { title: 'catalog.title.list', keep: 'entry' },
  },
  {
    path: '/brands',
    name: 'brands',
    component: () => import('./BrandsPage.vue'),
    meta: { title: 'catalog.title.brands', keep: 'path' },
  },
  {
    path: '/brands/:id(\\d+)',
    name: 'brand',
    component: () => import('./BrandPage.vue'),
    meta: { title: 'catalog.title.brand', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
