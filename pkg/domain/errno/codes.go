package errno

// The general codes.
var (
	OK            = &Code{0, "OK", "成功", "success"}
	Missing       = &Code{401, "PARAMETER_MISSING", "缺少参数", "parameter missing"}
	Invalid       = &Code{402, "PARAMETER_INVALID", "参数值不对", "parameter value invalid"}
	UnknownPath   = &Code{404, "UNKNOWN_PATH", "没有这个地址", "no such address"}
	WrongMethod   = &Code{405, "WRONG_METHOD", "请求方法不对", "wrong method"}
	LoginRequired = &Code{501, "LOGIN_REQUIRED", "请登录", "please log in"}
	Internal      = &Code{502, "INTERNAL", "系统内部错误", "internal error"}
	NotSupported  = &Code{503, "NOT_SUPPORTED", "业务不支持", "not supported"}
	Stale         = &Code{504, "UPDATE_LOST", "数据已被更新，请重试", "somebody else changed it at the same time, please retry"}
	UpdateFailed  = &Code{505, "UPDATE_FAILED", "更新数据失败", "nothing to update"}
	NoPermission  = &Code{506, "NO_PERMISSION", "无操作权限", "no permission for this operation"}
)

// The codes of the storefront.
var (
	AuthInvalidAccount     = &Code{700, "AUTH_INVALID_ACCOUNT", "账号或密码不对", "unknown account or wrong password"}
	AuthCaptchaUnsupported = &Code{701, "AUTH_CAPTCHA_UNSUPPORT", "本店没有设置短信发送服务，无法发送验证码，请联系商家", "this shop has no sender of text messages, so no verification code can be sent"}
	AuthCaptchaFrequency   = &Code{702, "AUTH_CAPTCHA_FREQUENCY", "验证码发送太频繁，请稍后再试", "too many codes, try again later"}
	AuthCaptchaUnmatched   = &Code{703, "AUTH_CAPTCHA_UNMATCH", "验证码错误", "wrong verification code"}
	AuthNameRegistered     = &Code{704, "AUTH_NAME_REGISTERED", "用户名已注册", "the name is taken"}
	AuthMobileRegistered   = &Code{705, "AUTH_MOBILE_REGISTERED", "手机号已注册", "the mobile number is taken"}
	AuthMobileUnregistered = &Code{706, "AUTH_MOBILE_UNREGISTERED", "手机号未注册", "the mobile number is not registered"}
	AuthInvalidMobile      = &Code{707, "AUTH_INVALID_MOBILE", "手机号格式不正确", "not a mobile number"}
	AuthOpenIDUnaccess     = &Code{708, "AUTH_OPENID_UNACCESS", "无法取得微信身份", "the app platform gave no identity"}
	AuthOpenIDBound        = &Code{709, "AUTH_OPENID_BINDED", "微信身份已绑定其他账号", "the app identity belongs to another account"}
	GoodsUnshelved         = &Code{710, "GOODS_UNSHELVE", "商品已下架", "the goods are not on sale"}
	GoodsNoStock           = &Code{711, "GOODS_NO_STOCK", "库存不足", "not enough stock"}
	GoodsUnknown           = &Code{712, "GOODS_UNKNOWN", "商品不存在", "no such goods"}
	GoodsInvalid           = &Code{713, "GOODS_INVALID", "商品规格不存在", "no such variant of the goods"}
	OrderUnknown           = &Code{720, "ORDER_UNKNOWN", "订单不存在", "no such order"}
	OrderInvalid           = &Code{721, "ORDER_INVALID", "订单不正确", "invalid order"}
	OrderCheckoutFailed    = &Code{722, "ORDER_CHECKOUT_FAIL", "下单失败", "checkout failed"}
	OrderCancelFailed      = &Code{723, "ORDER_CANCEL_FAIL", "订单取消失败", "cancelling failed"}
	OrderPayFailed         = &Code{724, "ORDER_PAY_FAIL", "订单支付失败", "payment is not possible now"}
	OrderInvalidOperation  = &Code{725, "ORDER_INVALID_OPERATION", "订单当前状态不允许该操作", "not allowed in the present state of the order"}
	OrderCommented         = &Code{726, "ORDER_COMMENTED", "订单商品已评价", "already commented"}
	OrderCommentExpired    = &Code{727, "ORDER_COMMENT_EXPIRED", "评价期已过", "the time for comments is over"}
	GrouponExpired         = &Code{730, "GROUPON_EXPIRED", "团购已过期", "the group purchase is over"}
	GrouponOffline         = &Code{731, "GROUPON_OFFLINE", "团购已下线", "the group purchase was taken down"}
	GrouponFull            = &Code{732, "GROUPON_FULL", "团购人数已满", "the group is full"}
	GrouponJoined          = &Code{733, "GROUPON_JOIN", "已参加该团购", "already in this group"}
	CouponExceedLimit      = &Code{740, "COUPON_EXCEED_LIMIT", "优惠券已领完或达到领取上限", "no more of this coupon for you"}
	CouponReceiveFailed    = &Code{741, "COUPON_RECEIVE_FAIL", "优惠券不能领取", "the coupon cannot be taken"}
	CouponCodeInvalid      = &Code{742, "COUPON_CODE_INVALID", "兑换码不正确", "no such redemption code"}
	AftersaleNotAllowed    = &Code{750, "AFTERSALE_UNALLOWED", "订单当前状态不能申请售后", "no after-sale service in this state"}
	AftersaleInvalidAmount = &Code{751, "AFTERSALE_INVALID_AMOUNT", "退款金额不正确", "refund amount out of range"}
	AftersaleInvalidStatus = &Code{752, "AFTERSALE_INVALID_STATUS", "售后当前状态不允许该操作", "not allowed in the present state of the case"}
)

// The codes of the administration.
var (
	AdminInvalidName       = &Code{601, "ADMIN_INVALID_NAME", "管理员名称不符合规定", "the name does not follow the rules"}
	AdminInvalidPassword   = &Code{602, "ADMIN_INVALID_PASSWORD", "管理员密码不符合规定", "the password does not follow the rules"}
	AdminNameExists        = &Code{602, "ADMIN_NAME_EXIST", "管理员名称已经存在", "the name exists"}
	AdminAlterNotAllowed   = &Code{603, "ADMIN_ALTER_NOT_ALLOWED", "不允许修改该管理员", "this change is not allowed"}
	AdminDeleteNotAllowed  = &Code{604, "ADMIN_DELETE_NOT_ALLOWED", "不允许删除该管理员", "this deletion is not allowed"}
	AdminInvalidAccount    = &Code{605, "ADMIN_INVALID_ACCOUNT", "账号或密码不对", "unknown account or wrong password"}
	GoodsUpdateNotAllowed  = &Code{610, "GOODS_UPDATE_NOT_ALLOWED", "商品规格和货品不能修改", "variants cannot be restructured"}
	GoodsNameExists        = &Code{611, "GOODS_NAME_EXIST", "商品名称已经存在", "the goods name exists"}
	OrderConfirmNotAllowed = &Code{620, "ORDER_CONFIRM_NOT_ALLOWED", "当前状态不允许该操作", "not allowed in the present state"}
	OrderRefundFailed      = &Code{621, "ORDER_REFUND_FAILED", "退款失败，请稍后重试", "the payment platform did not refund"}
	OrderReplyExists       = &Code{622, "ORDER_REPLY_EXIST", "评论已回复", "the comment has a reply"}
	UserInvalidName        = &Code{630, "USER_INVALID_NAME", "用户名不符合规定", "the user name does not follow the rules"}
	UserInvalidPassword    = &Code{631, "USER_INVALID_PASSWORD", "用户密码不符合规定", "the user password does not follow the rules"}
	UserInvalidMobile      = &Code{632, "USER_INVALID_MOBILE", "手机号格式不正确", "not a mobile number"}
	UserNameExists         = &Code{633, "USER_NAME_EXIST", "用户名已经存在", "the user name exists"}
	UserMobileExists       = &Code{634, "USER_MOBILE_EXIST", "手机号已经存在", "the mobile number is taken"}
	RoleNameExists         = &Code{640, "ROLE_NAME_EXIST", "角色名称已经存在", "the role name exists"}
	RoleSuperProtected     = &Code{641, "ROLE_SUPER_SUPERMISSION", "超级权限受保护", "the super permission is protected"}
	RoleInUse              = &Code{642, "ROLE_USER_EXIST", "角色仍有管理员使用", "the role is still assigned"}
)

var all = []*Code{
	OK, Missing, Invalid, UnknownPath, WrongMethod, LoginRequired, Internal, NotSupported, Stale, UpdateFailed,
	NoPermission, AdminInvalidName, AdminInvalidPassword, AdminNameExists, AdminAlterNotAllowed,
	AdminDeleteNotAllowed, AdminInvalidAccount, GoodsUpdateNotAllowed, GoodsNameExists, OrderConfirmNotAllowed,
	OrderRefundFailed, OrderReplyExists, UserInvalidName, UserInvalidPassword, UserInvalidMobile, UserNameExists,
	UserMobileExists, RoleNameExists, RoleSuperProtected, RoleInUse, AuthInvalidAccount, AuthCaptchaUnsupported,
	AuthCaptchaFrequency, AuthCaptchaUnmatched, AuthNameRegistered, AuthMobileRegistered, AuthMobileUnregistered,
	AuthInvalidMobile, AuthOpenIDUnaccess, AuthOpenIDBound, GoodsUnshelved, GoodsNoStock, GoodsUnknown, GoodsInvalid,
	OrderUnknown, OrderInvalid, OrderCheckoutFailed, OrderCancelFailed, OrderPayFailed, OrderInvalidOperation,
	OrderCommented, OrderCommentExpired, GrouponExpired, GrouponOffline, GrouponFull, GrouponJoined, CouponExceedLimit,
	CouponReceiveFailed, CouponCodeInvalid, AftersaleNotAllowed, AftersaleInvalidAmount, AftersaleInvalidStatus,
}
