package text

// Refusals about operators and roles.
var (
	OperatorName = add("operator.name", "管理员名称不符合规定：应为 6 到 20 个字母、数字、汉字或下划线，不能以下划线结尾",
		"the name does not follow the rules: 6 to 20 letters, digits, Chinese characters or underscores, no underscore last")
	OperatorPassword = add("operator.password", "管理员密码不符合规定：应为 6 到 64 个字，不超过 72 字节",
		"the password does not follow the rules: 6 to 64 characters and at most 72 bytes")
	OperatorSuper       = add("operator.super", "只有超级管理员能修改超级管理员", "only a super operator changes a super operator")
	OperatorSuperDelete = add("operator.super-delete", "只有超级管理员能删除超级管理员",
		"only a super operator deletes a super operator")
	OperatorSelf      = add("operator.self", "不能删除自己", "nobody deletes himself")
	OperatorLastSuper = add("operator.last-super", "至少要保留一个超级管理员", "one super operator must stay")
	RoleBeyond        = add("role.beyond", "不能分配或收回权限超出自己的角色",
		"roles that grant more than you hold cannot be given or taken")
	RolesDiffer = add("role.choices-differ", "角色有两种不同的选择", "two different choices of roles were sent")
	RoleSuper   = add("role.super", "该角色拥有超级权限，只有超级管理员能修改",
		"the role grants everything, only a super operator changes it")
	RoleSuperStays = add("role.super-stays", "拥有超级权限的角色不能停用或删除",
		"a role that grants everything can be neither disabled nor deleted")
	RoleSuperGrant = add("role.super-grant", "超级权限不能授予，也不能收回", "the super permission can be neither given nor taken")
	GrantBeyond    = add("grant.beyond", "不能授予或收回自己没有的权限", "permissions that you do not hold cannot be given or taken")
	NoticeRead     = add("notice.read", "通知已有人阅读，不能再修改", "the notice has been read and can no longer be changed")
)

// Refusals about shoppers' accounts and addresses.
var (
	UserName = add("user.name", "用户名应为 1 到 63 个字，不能以 # 开头，也不能是他人的手机号码",
		"the user name must have 1 to 63 characters, must not begin with # and must not be another one's mobile number")
	AddressesFull = add("address.full", "收货地址最多 %d 个", "at most %d addresses can be kept")
	OnlyBuyers    = add("comment.only-buyers", "只有收到该商品的买家才能评论", "only who has received the goods comments on them")
)
