export default {
  title: {
    groups: '我的团购',
    group: '团购详情',
    coupons: '我的优惠券',
    favourites: '我的收藏',
    footprints: '浏览记录',
    feedback: '意见反馈',
  },
}
