import type { RouteRecordRaw } from 'vue-router'

const later = () => import('@/pages/LaterPage.vue')

export default [
  {
    path: '/category/:id(\\d+)?',
    name: 'category',
    component: later,
    meta: { title: 'find.title.category', keep: 'path', tab: 'category' },
  },
  {
    path: '/goods',
    name: 'goods-list',
    component: later,
    meta: { title: 'find.title.list', keep: 'query' },
  },
  {
    path: '/search',
    name: 'search',
    component: later,
    meta: { title: 'find.title.search' },
  },
  {
    path: '/brands',
    name: 'brands',
    component: later,
    meta: { title: 'find.title.brands', keep: 'path' },
  },
  {
    path: '/brands/:id(\\d+)',
    name: 'brand',
    component: later,
    meta: { title: 'find.title.brand', keep: 'path' },
  },
  {
    path: '/topics',
    name: 'topics',
    component: later,
    meta: { title: 'find.title.topics', keep: 'path' },
  },
  {
    path: '/topics/:id(\\d+)',
    name: 'topic',
    component: later,
    meta: { title: 'find.title.topic', keep: 'path' },
  },
  {
    path: '/groups',
    name: 'groups',
    component: later,
    meta: { title: 'find.title.groups', keep: 'path' },
  },
  {
    path: '/groups/:id(\\d+)',
    name: 'group',
    component: later,
    meta: { title: 'find.title.group' },
  },
  {
    path: '/coupons',
    name: 'coupons',
    component: later,
    meta: { title: 'find.title.coupons', keep: 'path' },
  },
  {
    path: '/help',
    name: 'help',
    component: later,
    meta: { title: 'find.title.help', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
