export default {
  title: { cart: '购物车', checkout: '确认订单', pay: '支付', paid: '支付结果' },
}
