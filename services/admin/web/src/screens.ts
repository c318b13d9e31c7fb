import type { Component } from 'vue'

const config = () => import('@/pages/config/ConfigPage.vue')
const stat = () => import('@/pages/stat/StatPage.vue')

/** Pages of the menus that have a screen of their own, by id. All other pages with a list get the plain one. */
export const screens: Readonly<Record<string, () => Promise<Component>>> = {
  'config/mall': config,
  'config/express': config,
  'config/order': config,
  'config/wx': config,
  'stat/user': stat,
  'stat/order': stat,
  'stat/goods': stat,
  'mall/order': () => import('@/pages/orders/OrdersPage.vue'),
  'mall/aftersale': () => import('@/pages/aftersale/AftersalePage.vue'),
}
