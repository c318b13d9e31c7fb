export default {
  title: {
    account: '我的',
    login: '登录',
    register: '注册',
    reset: '找回密码',
    profile: '个人资料',
    mobile: '更换手机号',
    addresses: '收货地址',
    address: '编辑地址',
  },
}
