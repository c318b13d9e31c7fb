import { areas } from '@/api/console'
import type { Act, Field, Label } from '@/console/shape'

type More = Partial<Pick<Field, 'kind' | 'min' | 'max' | 'required' | 'doc' | 'show'>>

function field(name: string, zh: string, en: string, more: More = {}): Field {
  return { name: `litemall_${name}`, label: { zh, en }, kind: 'text', required: true, ...more }
}

const ways = areas.order?.list?.fields.find(({ name }) => name === 'delivery')?.show?.one

const count: More = { kind: 'integer', min: 0, max: 100 }

/** What the declarations do not say yet of the settings of each page. */
const known: Readonly<Record<string, readonly Field[]>> = {
  'config/mall': [
    field('mall_name', '商城名称', 'Name of the shop', { required: undefined, max: 63 }),
    field('mall_address', '商城地址', 'Address of the shop', { required: undefined, max: 127 }),
    field('mall_phone', '联系电话', 'Telephone', { required: undefined, max: 31 }),
    field('mall_qq', '联系 QQ', 'QQ', { required: undefined, max: 31 }),
    field('mall_currency', '货币', 'Currency', { max: 3 }),
    field('mall_logo', '商城标志', 'Logo', { required: undefined, max: 255, show: { as: 'picture' } }),
    field('mall_color', '商城颜色', 'Colour', { required: undefined, max: 7 }),
    field('mall_longitude', '经度', 'Longitude', { required: undefined, max: 20 }),
    field('mall_latitude', '纬度', 'Latitude', { required: undefined, max: 20 }),
  ],
  'config/express': [
    field('express_freight_value', '运费', 'Freight', { kind: 'decimal' }),
    field('express_freight_min', '满额包邮', 'Free freight from', { kind: 'decimal' }),
    field('express_ways', '配送方式', 'Ways of delivery', { required: undefined, show: { as: 'ordered', one: ways } }),
    field('express_collect_address', '取货地址', 'Address to collect at', { required: undefined, max: 127 }),
    field('express_collect_hours', '取货时间', 'Hours to collect', { required: undefined, max: 127 }),
    field('express_courier_freight', '本店配送运费模板', 'Freight template of the courier', {
      kind: 'id',
      show: { as: 'of', of: 'freight' },
    }),
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
  litemall_mall_currency: {
    zh: 'ISO 4217 代码，如 CNY、JPY；有订单后不能再改',
    en: 'Its code by ISO 4217, such as CNY or JPY; it stays once there are orders',
  },
  litemall_mall_logo: { zh: '正方形图片；留空为默认标志', en: 'A square picture; blank for the usual one' },
  litemall_mall_color: {
    zh: '按钮和价格的颜色，如 #b3331b；要足够深，白色文字才能看清；留空为默认颜色',
    en: 'Of buttons and prices, such as #b3331b; dark enough for white text; blank for the usual one',
  },
  litemall_mall_longitude: { zh: '度，-180 到 180，可以留空', en: 'Degrees from -180 to 180; may be blank' },
  litemall_mall_latitude: { zh: '度，-90 到 90，可以留空', en: 'Degrees from -90 to 90; may be blank' },
  litemall_express_freight_value: { zh: '未满包邮金额的订单收取', en: 'For orders below the amount of free freight' },
  litemall_express_freight_min: {
    zh: '商品金额达到后不收运费',
    en: 'Orders of goods of this amount are sent without charge',
  },
  litemall_express_ways: {
    zh: '按买家看到的顺序；都不选即为快递',
    en: 'In the order in which shoppers see them; none of them means parcels',
  },
  litemall_express_collect_address: { zh: '提供到店自取时必填', en: 'Needed to offer collecting' },
  litemall_express_collect_hours: { zh: '提供到店自取时必填', en: 'Needed to offer collecting' },
  litemall_express_courier_freight: {
    zh: '由它决定配送的地区、价格和包邮金额；提供本店配送时必填',
    en: 'It says the regions, the prices and from which amount it is free; needed to offer our own courier',
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
