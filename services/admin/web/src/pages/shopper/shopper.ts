import type { RouteLocationRaw } from 'vue-router'
import type { Row } from '@/console/call'
import type { ListAct } from '@/console/shape'
import { listAt, listed } from '../parts/acts'

export const area = listed('user')

/** What belongs to a shopper: a list, asked for those of one, and where a record of it is shown. */
export interface Tab {
  readonly id: string
  readonly list: ListAct
  /** The columns that are left out: who it is, and what takes too much room. */
  readonly without: readonly string[]
  readonly to?: (row: Row) => RouteLocationRaw
}

const opens = (id: string) => (row: Row) => ({ path: '/' + listed(id).page, query: { open: String(row.id) } })
const among = (id: string) => (row: Row) => ({
  path: '/' + listed(id).page,
  query: { userId: String(row.userId), open: String(row.id) },
})
const goods = (row: Row) => ({ path: '/' + listed('goods').page, query: { open: String(row.goodsId) } })

/** The list of the coupons that shoppers hold. */
export const held = listAt(listed('coupon'), '/admin/coupon/listuser')

export const tabs: readonly Tab[] = [
  { id: 'orders', list: listed('order').list, without: ['mobile', 'shipSn'], to: opens('order') },
  { id: 'aftersale', list: listed('aftersale').list, without: ['orderId', 'pictures'], to: opens('aftersale') },
  { id: 'coupons', list: held, without: ['username', 'orderId'] },
  { id: 'addresses', list: listed('address').list, without: ['username'] },
  { id: 'collect', list: listed('collect').list, without: ['username', 'valueId'] },
  { id: 'footprint', list: listed('footprint').list, without: ['username'], to: goods },
  { id: 'history', list: listed('history').list, without: ['username'] },
  { id: 'comments', list: listed('comment').list, without: ['username', 'picUrls'], to: among('comment') },
  { id: 'feedback', list: listed('feedback').list, without: ['username', 'mobile', 'picUrls'], to: among('feedback') },
]
