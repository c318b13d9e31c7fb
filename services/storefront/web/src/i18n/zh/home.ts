export default {
  title: '首页',
  channels: '商品分类',
  banners: '精选活动',
  coupons: { title: '领券', more: '更多优惠券' },
  groups: { title: '一起团购', hint: '{n} 人成团', more: '全部团购', save: '省 {price}' },
  fresh: { title: '新品上架', more: '全部新品' },
  hot: { title: '人气推荐', more: '全部人气' },
  brands: { title: '品牌甄选', more: '全部品牌' },
  topics: { title: '专题精选', more: '全部专题' },
  floor: '更多{name}',
  empty: '商城正在准备中，请稍后再来。',
}
