export default {
  title: {
    orders: '我的订单',
    order: '订单详情',
    review: '发表评价',
    cases: '售后',
    case: '售后详情',
    groups: '我的团购',
    group: '团购详情',
    coupons: '我的优惠券',
    favourites: '我的收藏',
    footprints: '浏览记录',
    feedback: '意见反馈',
  },
}
