import type { Act, Field, Label } from '@/console/shape'

type More = Partial<Pick<Field, 'kind' | 'min' | 'max' | 'required' | 'doc'>>

function field(name: string, zh: string, en: string, more: More = {}): Field {
  return { name: `litemall_${name}`, label: { zh, en }, kind: 'text', required: true, ...more }
}

const count: More = { kind: 'integer', min: 0, max: 100 }

/** What the declarations do not say yet of the settings of each page. */
const known: Readonly<Record<string, readonly Field[]>> = {
  'config/mall': [
    field('mall_name', '商城名称', 'Name of the shop', { max: 63 }),
    field('mall_address', '商城地址', 'Address of the shop', { max: 127 }),
    field('mall_phone', '联系电话', 'Telephone', { max: 31 }),
    field('mall_qq', '联系 QQ', 'QQ', { max: 31 }),
    field('mall_longitude', '经度', 'Longitude', { required: undefined, max: 20 }),
    field('mall_latitude', '纬度', 'Latitude', { required: undefined, max: 20 }),
  ],
  'config/express': [
    field('express_freight_value', '运费', 'Freight', { kind: 'decimal' }),
    field('express_freight_min', '满额包邮', 'Free freight from', { kind: 'decimal' }),
  ],
  'config/order': [
    field('order_unpaid', '未付款订单自动取消', 'An unpaid order is cancelled after', {
      kind: 'integer',
      min: 1,
      max: 43_200,
    }),
    field('order_unconfirm', '发货后自动确认收货', 'A shipped order counts as received after', {
      kind: 'integer',
      min: 1,
      max: 3650,
    }),
    field('order_comment', '收货后可以评价', 'Comments are open for', { kind: 'integer', min: 1, max: 3650 }),
  ],
  'config/wx': [
    field('wx_index_new', '首页新品数量', 'Home page: new goods', count),
    field('wx_index_hot', '首页人气商品数量', 'Home page: popular goods', count),
    field('wx_index_brand', '首页品牌数量', 'Home page: brands', count),
    field('wx_index_topic', '首页专题数量', 'Home page: topics', count),
    field('wx_catlog_list', '首页类目数量', 'Home page: categories', count),
    field('wx_catlog_goods', '每个类目的商品数量', 'Goods of each category', count),
    field('wx_share', '商品分享海报', 'Posters to share goods', { kind: 'boolean', required: undefined }),
  ],
}

/** What the values are counted in, and what they are for. */
export const hints: Readonly<Record<string, Label>> = {
  litemall_mall_longitude: { zh: '度，-180 到 180，可以留空', en: 'Degrees from -180 to 180; may be blank' },
  litemall_mall_latitude: { zh: '度，-90 到 90，可以留空', en: 'Degrees from -90 to 90; may be blank' },
  litemall_express_freight_value: { zh: '未满包邮金额的订单收取', en: 'For orders below the amount of free freight' },
  litemall_express_freight_min: {
    zh: '商品金额达到后不收运费',
    en: 'Orders of goods of this amount are sent without charge',
  },
  litemall_order_unpaid: { zh: '分钟，1 到 43200（30 天）', en: 'Minutes, 1 to 43200 (30 days)' },
  litemall_order_unconfirm: { zh: '天，1 到 3650', en: 'Days, 1 to 3650' },
  litemall_order_comment: { zh: '天，1 到 3650', en: 'Days, 1 to 3650' },
}

/** The pages of settings with the path that reads and changes them. */
export const paths: Readonly<Record<string, string>> = {
  'config/mall': '/admin/config/mall',
  'config/express': '/admin/config/express',
  'config/order': '/admin/config/order',
  'config/wx': '/admin/config/wx',
}

/** The settings of a page: as the operation declares them, where it does. */
export function settingsOf(page: string, act: Act): readonly Field[] {
  return act.fields.length ? act.fields : (known[page] ?? [])
}
