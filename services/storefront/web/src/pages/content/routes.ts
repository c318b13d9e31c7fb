import type { RouteRecordRaw } from 'vue-router'

export default [
  {
    path: '/topics',
    name: 'topics',
    component: () => import('./TopicsPage.vue'),
    meta: { title: 'content.title.topics', keep: 'path' },
  },
  {
    path: '/topics/:id(\\d+)',
    name: 'topic',
    component: () => import('./TopicPage.vue'),
    meta: { title: 'content.title.topic', keep: 'path' },
  },
  {
    path: '/help',
    name: 'help',
    component: () => import('./HelpPage.vue'),
    meta: { title: 'content.title.help', keep: 'path' },
  },
] satisfies RouteRecordRaw[]
