package contract

import (
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/order"
)

// Choices returns the values of a table of the tag show with their names: those of the texts, and the states of orders
// and of after-sale cases.
func Choices(table string) []text.Choice {
	switch table {
	case "order-state":
		return order.Choices()
	case "case-state":
		return aftersale.Choices()
	default:
		return text.Choices(table)
	}
}
