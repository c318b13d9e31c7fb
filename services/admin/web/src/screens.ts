import type { Component } from 'vue'

const config = () => import('@/pages/config/ConfigPage.vue')
const stat = () => import('@/pages/stat/StatPage.vue')

/** Pages whose screen shows the plain list of their area too: it gets the area. */
export const withList: ReadonlySet<string> = new Set(['user/user'])

/** Pages of the menus that have a screen of their own, by id. All other pages with a list get the plain one. */
export const screens: Readonly<Record<string, () => Promise<Component>>> = {
  'config/mall': config,
  'config/express': config,
  'config/order': config,
  'config/wx': config,
  'config/channel': () => import('@/pages/config/ChannelPage.vue'),
  'config/message': () => import('@/pages/config/MessagePage.vue'),
  'stat/user': stat,
  'stat/order': stat,
  'stat/goods': stat,
  'sys/audit': () => import('@/pages/audit/AuditPage.vue'),
  'sys/books': () => import('@/pages/books/BooksPage.vue'),
  'sys/access': () => import('@/pages/rights/AccessPage.vue'),
  'user/user': () => import('@/pages/shopper/ShoppersPage.vue'),
  'mall/category': () => import('@/pages/category/CategoryPage.vue'),
  'mall/order': () => import('@/pages/orders/OrdersPage.vue'),
  'goods/goods': () => import('@/pages/goods/GoodsPage.vue'),
  'mall/aftersale': () => import('@/pages/aftersale/AftersalePage.vue'),
}
