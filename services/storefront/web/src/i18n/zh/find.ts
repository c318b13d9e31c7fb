export default {
  title: {
    category: '商品分类',
    list: '商品列表',
    search: '搜索',
    brands: '品牌',
    brand: '品牌',
    topics: '专题',
    topic: '专题',
    groups: '团购',
    group: '团购邀请',
    coupons: '领券中心',
    help: '帮助中心',
  },
}
