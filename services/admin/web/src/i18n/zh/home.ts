export default {
  waiting: '待办',
  charts: '经营情况',
  range: '时间范围',
  days: '{n} 天',
  day: '日期',
  table: '以表格查看',
  drawn: '{name}，最近 {n} 天的折线图',
  tile: { toShip: '待发货', refunds: '退款申请', aftersale: '售后待审核', cases: '款项与任务' },
  total: { orderTotal: '订单总数', userTotal: '会员总数', goodsTotal: '商品总数', productTotal: '货品总数' },
  chart: { orders: '已收货订单', goods: '售出商品', users: '新会员' },
  member: { amount: '金额', orders: '订单', customers: '顾客', products: '件数', users: '注册' },
}
