package text

// Faults of a member of a request. The first argument is always the member.
var (
	MemberMissing   = add("member.missing", "缺少%s", "%s is missing")
	MemberWrong     = add("member.wrong", "%s不正确", "%s is not right")
	MemberMalformed = add("member.malformed", "%s格式不正确", "%s is malformed")
	MemberWhole     = add("member.whole", "%s应为整数", "%s must be a whole number")
	MemberAmount    = add("member.amount", "%s应为金额，最多两位小数",
		"%s must be an amount with at most two decimals")
	MemberFlag    = add("member.flag", "%s应为是或否", "%s must be true or false")
	MemberList    = add("member.list", "%s应为列表", "%s must be a list")
	MemberBetween = add("member.between", "%s应在 %v 到 %v 之间", "%s must be between %v and %v")
	MemberAtLeast = add("member.at-least", "%s不能小于 %v", "%s must be at least %v")
	MemberAtMost  = add("member.at-most", "%s不能大于 %v", "%s must be at most %v")
	MemberOneOf   = add("member.one-of", "%s只能是 %s", "%s must be one of %s")
	MemberShort   = add("member.short", "%s不能少于 %d 个字", "%s must have at least %d characters")
	MemberLong    = add("member.long", "%s不能超过 %d 个字", "%s must have at most %d characters")
	MemberLength  = add("member.length", "%s应为 %d 到 %d 个字", "%s must have %d to %d characters")
	MemberBytes   = add("member.bytes", "%s太长，不能超过 %d 字节", "%s is too long, at most %d bytes")
	MemberFew     = add("member.few", "%s至少 %d 项", "%s must have at least %d entries")
	MemberMany    = add("member.many", "%s最多 %d 项", "%s must have at most %d entries")
	MemberMobile  = add("member.mobile", "%s应为 11 位手机号码", "%s must be a mobile number of 11 digits")
	MemberLink    = add("member.link", "%s应为 http:// 或 https:// 开头的网址，最多 255 个字",
		"%s must be an address that begins with http:// or https://, of at most 255 characters")
	MemberPage = add("member.page", "%s应为 http:// 或 https:// 开头的网址，或本店内的路径",
		"%s must be an address that begins with http:// or https://, or a path within the shop")
	MemberVisible = add("member.visible", "%s含有看不见的字符", "%s contains characters that cannot be seen")
	MemberMoment  = add("member.moment", "%s应为日期时间，如 2026-01-31 08:00:00",
		"%s must be a date and time such as 2026-01-31 08:00:00")
)

// Faults of a request as a whole.
var (
	BodyNotJSON = add("body.not-json", "请求内容不是有效的 JSON 对象", "the request is not a valid JSON object")
	BodyTooDeep = add("body.too-deep", "请求内容嵌套太深", "the request is nested too deeply")
	BodyTooLong = add("body.too-long", "请求内容太大", "the request is too large")
	BodyBroken  = add("body.broken", "请求内容没有完整送达", "the request did not arrive completely")
	BodyEmpty   = add("body.empty", "请求没有内容", "the request says nothing")
	FileTooLong = add("file.too-long", "文件太大，不能超过 %s", "the file is too large, at most %s")
	FileBroken  = add("file.broken", "文件没有完整送达", "the file did not arrive completely")
	KeyForm     = add("key.form", "请求的幂等键应为 1 到 96 个可见字符",
		"the idempotency key must have 1 to 96 visible ASCII characters")
	KeyReused = add("key.reused", "这个幂等键已用于另一个请求", "the idempotency key was used for another request")
)
