package errno

// all are the codes in the order of their declaration.
var all []*Code

func code(num int, name, zh, en string) *Code {
	c := &Code{num, name, zh, en}
	all = append(all, c)
	return c
}

// The general codes.
var (
	OK            = code(0, "OK", "成功", "success")
	Missing       = code(401, "PARAMETER_MISSING", "缺少参数", "parameter missing")
	Invalid       = code(402, "PARAMETER_INVALID", "参数值不对", "parameter value invalid")
	UnknownPath   = code(404, "UNKNOWN_PATH", "没有这个地址", "no such address")
	WrongMethod   = code(405, "WRONG_METHOD", "请求方法不对", "wrong method")
	LoginRequired = code(501, "LOGIN_REQUIRED", "请登录", "please log in")
	Internal      = code(502, "INTERNAL", "系统内部错误", "internal error")
	NotSupported  = code(503, "NOT_SUPPORTED", "业务不支持", "not supported")
	Stale         = code(504, "UPDATE_LOST", "数据已被更新，请重试", "somebody else changed it at the same time, please retry")
	UpdateFailed  = code(505, "UPDATE_FAILED", "更新数据失败", "nothing to update")
	NoPermission  = code(506, "NO_PERMISSION", "无操作权限", "no permission for this operation")
)

// The codes of the storefront.
var (
	AuthInvalidAccount     = code(700, "AUTH_INVALID_ACCOUNT", "账号或密码不对", "unknown account or wrong password")
	AuthCaptchaUnsupported = code(701, "AUTH_CAPTCHA_UNSUPPORT", "本店没有设置短信发送服务，无法发送验证码，请联系商家", "this shop has no sender of text messages, so no verification code can be sent")
	AuthCaptchaFrequency   = code(702, "AUTH_CAPTCHA_FREQUENCY", "验证码发送太频繁，请稍后再试", "too many codes, try again later")
	AuthCaptchaUnmatched   = code(703, "AUTH_CAPTCHA_UNMATCH", "验证码错误", "wrong verification code")
	AuthNameRegistered     = code(704, "AUTH_NAME_REGISTERED", "用户名已注册", "the name is taken")
	AuthMobileRegistered   = code(705, "AUTH_MOBILE_REGISTERED", "手机号已注册", "the mobile number is taken")
	AuthMobileUnregistered = code(706, "AUTH_MOBILE_UNREGISTERED", "手机号未注册", "the mobile number is not registered")
	AuthInvalidMobile      = code(707, "AUTH_INVALID_MOBILE", "手机号格式不正确", "not a mobile number")
	AuthOpenIDUnaccess     = code(708, "AUTH_OPENID_UNACCESS", "无法取得微信身份", "the app platform gave no identity")
	AuthOpenIDBound        = code(709, "AUTH_OPENID_BINDED", "微信身份已绑定其他账号", "the app identity belongs to another account")
	GoodsUnshelved         = code(710, "GOODS_UNSHELVE", "商品已下架", "the goods are not on sale")
	GoodsNoStock           = code(711, "GOODS_NO_STOCK", "库存不足", "not enough stock")
	GoodsUnknown           = code(712, "GOODS_UNKNOWN", "商品不存在", "no such goods")
	GoodsInvalid           = code(713, "GOODS_INVALID", "商品规格不存在", "no such variant of the goods")
	OrderUnknown           = code(720, "ORDER_UNKNOWN", "订单不存在", "no such order")
	OrderInvalid           = code(721, "ORDER_INVALID", "订单不正确", "invalid order")
	OrderCheckoutFailed    = code(722, "ORDER_CHECKOUT_FAIL", "下单失败", "checkout failed")
	OrderCancelFailed      = code(723, "ORDER_CANCEL_FAIL", "订单取消失败", "cancelling failed")
	OrderPayFailed         = code(724, "ORDER_PAY_FAIL", "订单支付失败", "payment is not possible now")
	OrderInvalidOperation  = code(725, "ORDER_INVALID_OPERATION", "订单当前状态不允许该操作", "not allowed in the present state of the order")
	OrderCommented         = code(726, "ORDER_COMMENTED", "订单商品已评价", "already commented")
	OrderCommentExpired    = code(727, "ORDER_COMMENT_EXPIRED", "评价期已过", "the time for comments is over")
	GrouponExpired         = code(730, "GROUPON_EXPIRED", "团购已过期", "the group purchase is over")
	GrouponOffline         = code(731, "GROUPON_OFFLINE", "团购已下线", "the group purchase was taken down")
	GrouponFull            = code(732, "GROUPON_FULL", "团购人数已满", "the group is full")
	GrouponJoined          = code(733, "GROUPON_JOIN", "已参加该团购", "already in this group")
	CouponExceedLimit      = code(740, "COUPON_EXCEED_LIMIT", "优惠券已领完或达到领取上限", "no more of this coupon for you")
	CouponReceiveFailed    = code(741, "COUPON_RECEIVE_FAIL", "优惠券不能领取", "the coupon cannot be taken")
	CouponCodeInvalid      = code(742, "COUPON_CODE_INVALID", "兑换码不正确", "no such redemption code")
	AftersaleNotAllowed    = code(750, "AFTERSALE_UNALLOWED", "订单当前状态不能申请售后", "no after-sale service in this state")
	AftersaleInvalidAmount = code(751, "AFTERSALE_INVALID_AMOUNT", "退款金额不正确", "refund amount out of range")
	AftersaleInvalidStatus = code(752, "AFTERSALE_INVALID_STATUS", "售后当前状态不允许该操作", "not allowed in the present state of the case")
)

// The codes of the administration.
var (
	AdminInvalidName       = code(601, "ADMIN_INVALID_NAME", "管理员名称不符合规定", "the name does not follow the rules")
	AdminInvalidPassword   = code(602, "ADMIN_INVALID_PASSWORD", "管理员密码不符合规定", "the password does not follow the rules")
	AdminNameExists        = code(602, "ADMIN_NAME_EXIST", "管理员名称已经存在", "the name exists")
	AdminAlterNotAllowed   = code(603, "ADMIN_ALTER_NOT_ALLOWED", "不允许修改该管理员", "this change is not allowed")
	AdminDeleteNotAllowed  = code(604, "ADMIN_DELETE_NOT_ALLOWED", "不允许删除该管理员", "this deletion is not allowed")
	AdminInvalidAccount    = code(605, "ADMIN_INVALID_ACCOUNT", "账号或密码不对", "unknown account or wrong password")
	GoodsUpdateNotAllowed  = code(610, "GOODS_UPDATE_NOT_ALLOWED", "商品规格和货品不能修改", "variants cannot be restructured")
	GoodsNameExists        = code(611, "GOODS_NAME_EXIST", "商品名称已经存在", "the goods name exists")
	OrderConfirmNotAllowed = code(620, "ORDER_CONFIRM_NOT_ALLOWED", "当前状态不允许该操作", "not allowed in the present state")
	OrderRefundFailed      = code(621, "ORDER_REFUND_FAILED", "退款失败，请稍后重试", "the payment platform did not refund")
	OrderReplyExists       = code(622, "ORDER_REPLY_EXIST", "评论已回复", "the comment has a reply")
	UserInvalidName        = code(630, "USER_INVALID_NAME", "用户名不符合规定", "the user name does not follow the rules")
	UserInvalidPassword    = code(631, "USER_INVALID_PASSWORD", "用户密码不符合规定", "the user password does not follow the rules")
	UserInvalidMobile      = code(632, "USER_INVALID_MOBILE", "手机号格式不正确", "not a mobile number")
	UserNameExists         = code(633, "USER_NAME_EXIST", "用户名已经存在", "the user name exists")
	UserMobileExists       = code(634, "USER_MOBILE_EXIST", "手机号已经存在", "the mobile number is taken")
	RoleNameExists         = code(640, "ROLE_NAME_EXIST", "角色名称已经存在", "the role name exists")
	RoleSuperProtected     = code(641, "ROLE_SUPER_SUPERMISSION", "超级权限受保护", "the super permission is protected")
	RoleInUse              = code(642, "ROLE_USER_EXIST", "角色仍有管理员使用", "the role is still assigned")
)
