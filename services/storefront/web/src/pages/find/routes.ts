import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/category/:id(\\d+)?',
    name: 'category',
    component: () => import('./CategoryPage.vue'),
    meta: { title: 'find.title.category', keep: 'entry', tab: 'category' },
  },
  {
    path: '/goods',
    name: 'goods-list',
    component: () => import('./GoodsListPage.vue'),
    meta: { title: 'find.title.list', keep: 'entry' },
  },
  {
    path: '/search',
    name: 'search',
    component: () => import('./SearchPage.vue'),
    meta: { title: 'find.title.search' },
  },
  {
    path: '/brands',
    name: 'brands',
    component: () => import('./BrandsPage.vue'),
    meta: { title: 'find.title.brands', keep: 'path' },
  },
  {
    path: '/brands/:id(\\d+)',
    name: 'brand',
    component: () => import('./BrandPage.vue'),
    meta: { title: 'find.title.brand', keep: 'path' },
  },
  {
    path: '/topics',
    name: 'topics',
    component: () => import('./TopicsPage.vue'),
    meta: { title: 'find.title.topics', keep: 'path' },
  },
  {
    path: '/topics/:id(\\d+)',
    name: 'topic',
    component: () => import('./TopicPage.vue'),
    meta: { title: 'find.title.topic', keep: 'path' },
  },
  {
    path: '/groups',
    name: 'groups',
    component: () => import('./GroupsPage.vue'),
    meta: { title: 'find.title.groups', keep: 'path' },
  },
  {
    path: '/groups/:id(\\d+)',
    name: 'group',
    component: () => import('./GroupPage.vue'),
    meta: { title: 'find.title.group' },
  },
  {
    path: '/coupons',
    name: 'coupons',
    component: () => import('./CouponsPage.vue'),
    meta: { title: 'find.title.coupons', keep: 'path' },
  },
  {
    path: '/help',
    name: 'help',
    component: () => import('./HelpPage.vue'),
    meta: { title: 'find.title.help', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
