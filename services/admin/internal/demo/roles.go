package demo

import (
	"slices"

	"shop.internal/pkg/domain"
)

// Role is the role of an operator of the demo shop, other than the super operator.
type Role struct {
	// Operator is the login name, Name the name of the role.
	Operator, Name string
	Values         []string
}

// Roles returns the roles in the order in which their operators are created. The console shows a page to everybody with
// any of its permissions, and some of its buttons to everybody who sees the page. So a role has all permissions of a
// page or, to see less, at least the list and what the page reads.
func Roles() []Role {
	comments := []string{"admin:comment:list", "admin:comment:delete", "admin:order:reply"}
	return []Role{
		{
			Operator: domain.DemoGoods, Name: "商品编辑", Values: slices.Concat(
				crud("goods"), crud("category"), crud("brand"), crud("storage"), comments,
				// The permission to reply to comments belongs to the page of orders, which is shown for it.
				[]string{"admin:goods:export", "admin:order:list", "admin:order:read"},
			),
		},
		{
			Operator: lastName, Name: "订单客服", Values: slices.Concat(
				[]string{
					"admin:order:list", "admin:order:read", "admin:order:pay", "admin:order:ship", "admin:order:refund",
					"admin:order:reject", "admin:order:delete", "admin:order:export",
					"admin:aftersale:list", "admin:aftersale:recept", "admin:aftersale:batch-recept", "admin:aftersale:reject",
					"admin:aftersale:batch-reject", "admin:aftersale:refund",
				}, comments,
			),
		},
	}
}

// crud returns the permissions of a page with list, read, create, update and delete.
func crud(area string) []string {
	var values []string
	for _, action := range []string{"list", "create", "read", "update", "delete"} {
		values = append(values, "admin:"+area+":"+action)
	}
	return values
}
