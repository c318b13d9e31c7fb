import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/my/groups',
    name: 'my-groups',
    component: () => import('./GroupsPage.vue'),
    meta: { title: 'mine.title.groups', login: true, keep: 'path' },
  },
  {
    path: '/my/groups/:id(\\d+)',
    name: 'my-group',
    component: () => import('./GroupPage.vue'),
    meta: { title: 'mine.title.group', login: true },
  },
  {
    path: '/my/coupons',
    name: 'my-coupons',
    component: () => import('./CouponsPage.vue'),
    meta: { title: 'mine.title.coupons', login: true, keep: 'path' },
  },
  {
    path: '/my/favourites',
    name: 'favourites',
    component: () => import('./FavouritesPage.vue'),
    meta: { title: 'mine.title.favourites', login: true, keep: 'path' },
  },
  {
    path: '/my/footprints',
    name: 'footprints',
    component: () => import('./FootprintsPage.vue'),
    meta: { title: 'mine.title.footprints', login: true, keep: 'path' },
  },
  {
    path: '/my/feedback',
    name: 'feedback',
    component: () => import('./FeedbackPage.vue'),
    meta: { title: 'mine.title.feedback', login: true },
  },
] satisfies RouteRecordRaw[]
