export default {
  title: {
    orders: '我的订单',
    order: '订单详情',
    review: '发表评价',
    cases: '售后',
    case: '售后详情',
  },
}
