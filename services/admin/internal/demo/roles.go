package demo

import (
	"slices"

	"shop.internal/pkg/domain"
)

// Role is what an operator of the demo shop, beside the super operator, may do.
type Role struct {
	// Operator is the login name, Name the role's.
	Operator, Name string
	Values         []string
}

// Roles returns the roles in the order in which their operators are made. The console shows a page to whoever holds any
// of its permissions, and some of its buttons to everybody who sees the page. So a role holds all of a page's values
// or, where it should see less, at least the list and what the page reads.
func Roles() []Role {
	comments := []string{"admin:comment:list", "admin:comment:delete", "admin:order:reply"}
	return []Role{
		{
			Operator: domain.DemoGoods, Name: "商品编辑", Values: slices.Concat(
				crud("goods"), crud("category"), crud("brand"), crud("storage"), comments,
				// The value for answering comments is one of the page of orders, which is shown for it.
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

// crud returns the values of a page that lists, shows, makes, changes and deletes.
func crud(area string) []string {
	var values []string
	for _, action := range []string{"list", "create", "read", "update", "delete"} {
		values = append(values, "admin:"+area+":"+action)
	}
	return values
}
