package errno

import "shop.internal/pkg/base/text"

// all are the codes in the order of their declaration.
var all []*Code

func code(num int, name string) *Code {
	c := &Code{num, name, text.ForCode(name)}
	all = append(all, c)
	return c
}

// The general codes.
var (
	OK            = code(0, "OK")
	Missing       = code(401, "PARAMETER_MISSING")
	Invalid       = code(402, "PARAMETER_INVALID")
	UnknownPath   = code(404, "UNKNOWN_PATH")
	WrongMethod   = code(405, "WRONG_METHOD")
	LoginRequired = code(501, "LOGIN_REQUIRED")
	Internal      = code(502, "INTERNAL")
	NotSupported  = code(503, "NOT_SUPPORTED")
	Stale         = code(504, "UPDATE_LOST")
	UpdateFailed  = code(505, "UPDATE_FAILED")
	NoPermission  = code(506, "NO_PERMISSION")
)

// The codes of the storefront.
var (
	AuthInvalidAccount     = code(700, "AUTH_INVALID_ACCOUNT")
	AuthCaptchaUnsupported = code(701, "AUTH_CAPTCHA_UNSUPPORT")
	AuthCaptchaFrequency   = code(702, "AUTH_CAPTCHA_FREQUENCY")
	AuthCaptchaUnmatched   = code(703, "AUTH_CAPTCHA_UNMATCH")
	AuthNameRegistered     = code(704, "AUTH_NAME_REGISTERED")
	AuthMobileRegistered   = code(705, "AUTH_MOBILE_REGISTERED")
	AuthMobileUnregistered = code(706, "AUTH_MOBILE_UNREGISTERED")
	AuthInvalidMobile      = code(707, "AUTH_INVALID_MOBILE")
	AuthOpenIDUnaccess     = code(708, "AUTH_OPENID_UNACCESS")
	AuthOpenIDBound        = code(709, "AUTH_OPENID_BINDED")
	GoodsUnshelved         = code(710, "GOODS_UNSHELVE")
	GoodsNoStock           = code(711, "GOODS_NO_STOCK")
	GoodsUnknown           = code(712, "GOODS_UNKNOWN")
	GoodsInvalid           = code(713, "GOODS_INVALID")
	OrderUnknown           = code(720, "ORDER_UNKNOWN")
	OrderInvalid           = code(721, "ORDER_INVALID")
	OrderCheckoutFailed    = code(722, "ORDER_CHECKOUT_FAIL")
	OrderCancelFailed      = code(723, "ORDER_CANCEL_FAIL")
	OrderPayFailed         = code(724, "ORDER_PAY_FAIL")
	OrderInvalidOperation  = code(725, "ORDER_INVALID_OPERATION")
	OrderCommented         = code(726, "ORDER_COMMENTED")
	OrderCommentExpired    = code(727, "ORDER_COMMENT_EXPIRED")
	GrouponExpired         = code(730, "GROUPON_EXPIRED")
	GrouponOffline         = code(731, "GROUPON_OFFLINE")
	GrouponFull            = code(732, "GROUPON_FULL")
	GrouponJoined          = code(733, "GROUPON_JOIN")
	CouponExceedLimit      = code(740, "COUPON_EXCEED_LIMIT")
	CouponReceiveFailed    = code(741, "COUPON_RECEIVE_FAIL")
	CouponCodeInvalid      = code(742, "COUPON_CODE_INVALID")
	AftersaleNotAllowed    = code(750, "AFTERSALE_UNALLOWED")
	AftersaleInvalidAmount = code(751, "AFTERSALE_INVALID_AMOUNT")
	AftersaleInvalidStatus = code(752, "AFTERSALE_INVALID_STATUS")
)

// The codes of the administration.
var (
	AdminInvalidName       = code(601, "ADMIN_INVALID_NAME")
	AdminInvalidPassword   = code(602, "ADMIN_INVALID_PASSWORD")
	AdminNameExists        = code(602, "ADMIN_NAME_EXIST")
	AdminAlterNotAllowed   = code(603, "ADMIN_ALTER_NOT_ALLOWED")
	AdminDeleteNotAllowed  = code(604, "ADMIN_DELETE_NOT_ALLOWED")
	AdminInvalidAccount    = code(605, "ADMIN_INVALID_ACCOUNT")
	GoodsUpdateNotAllowed  = code(610, "GOODS_UPDATE_NOT_ALLOWED")
	GoodsNameExists        = code(611, "GOODS_NAME_EXIST")
	OrderConfirmNotAllowed = code(620, "ORDER_CONFIRM_NOT_ALLOWED")
	OrderRefundFailed      = code(621, "ORDER_REFUND_FAILED")
	OrderReplyExists       = code(622, "ORDER_REPLY_EXIST")
	UserInvalidName        = code(630, "USER_INVALID_NAME")
	UserInvalidPassword    = code(631, "USER_INVALID_PASSWORD")
	UserInvalidMobile      = code(632, "USER_INVALID_MOBILE")
	UserNameExists         = code(633, "USER_NAME_EXIST")
	UserMobileExists       = code(634, "USER_MOBILE_EXIST")
	RoleNameExists         = code(640, "ROLE_NAME_EXIST")
	RoleSuperProtected     = code(641, "ROLE_SUPER_SUPERMISSION")
	RoleInUse              = code(642, "ROLE_USER_EXIST")
)
