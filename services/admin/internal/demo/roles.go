package demo

import (
	"fmt"
	"slices"

	domain "shop.internal/pkg/domain/app"
	"shop.internal/services/admin/internal/app"
	"shop.internal/services/admin/internal/menu"
)

// Role is the role of an operator of the demo shop, other than the super operator.
type Role struct {
	// Operator is the login name, Name the name of the role.
	Operator, Name string
	Values         []string
}

// Roles returns the roles in the order in which their operators are created. The console shows a page to everybody with
// any of its permissions, and many of its buttons to everybody who sees the page. So a role has all permissions of a
// page or none. Comments go to the clerk: their page always draws the button to reply, and the permission to reply
// belongs to the page of orders, so whoever answers comments sees the orders and their shoppers.
func Roles() ([]Role, error) {
	registry, err := app.Registry()
	if err != nil {
		return nil, fmt.Errorf("read the permissions of the demo roles: %w", err)
	}
	of := func(pages ...menu.Menu) (values []string) {
		for _, e := range registry.Entries() {
			if slices.Contains(pages, e.Menu) {
				values = append(values, e.Value)
			}
		}
		return values
	}
	goods := of(menu.Goods(), menu.Categories(), menu.Brands(), menu.Objects())
	clerk := of(menu.Orders(), menu.Aftersales(), menu.Comments())
	return []Role{
		{Operator: domain.DemoGoods, Name: "商品编辑", Values: goods},
		{Operator: lastName, Name: "订单客服", Values: clerk},
	}, nil
}
