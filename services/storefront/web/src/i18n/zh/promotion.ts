export default {
  title: {
    groups: '团购',
    group: '团购邀请',
    coupons: '领券中心',
  },
  groups: {
    how: '邀请好友一起买，人数凑齐就按团购价成交；到时间没有凑齐会自动退款。',
    empty: '现在没有团购活动',
    members: '{n} 人团',
    open: '去开团',
    join: '参加团购',
    confirm: '选好了，去结算',
    others: '看看其他团购',
    gone: '这个邀请无效，或者团长还没有付款',
    state: { open: '好友邀请你一起买', full: '这个团已经成团', over: '这个团已经结束' },
    next: { own: '活动还在进行，你可以自己发起一个团。', others: '看看其他正在进行的团购吧。' },
    steps: {
      choose: '选择规格，确认订单',
      pay: '按团购价付款，就加入了这个团',
      wait: '凑齐 {n} 人后发货；没有凑齐会自动退款',
    },
  },
  coupons: {
    hint: '领到的优惠券，结算时会自动选用最划算的一张。',
    mine: '我的优惠券',
    empty: '暂时没有可领的优惠券',
    emptyText: '过几天再来看看。',
    shop: '去逛逛',
    use: '去使用',
  },
}
