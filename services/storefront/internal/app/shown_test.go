package app_test

import (
	"testing"

	"shop.internal/pkg/contract"
	domainaddress "shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/optest"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/address"
	"shop.internal/services/storefront/internal/order"
)

// Every field of a record that both services show is a member of the answer. What is named here is left out on purpose:
// it serves the shop alone, or each service adds it to what they have in common.
func TestEveryFieldIsShown(t *testing.T) {
	t.Parallel()
	var z wire.Zone
	optest.Shows(t, func(g catalog.Goods) any { return contract.GoodsOf(z, g) }, "Version")
	optest.Shows(t, func(g catalog.Summary) any { return contract.GoodsSummaryOf(g) })
	optest.Shows(t, func(p catalog.Product) any { return contract.ProductOf(p) }, "HotMode", "AddTime", "UpdateTime",
		"Version")
	optest.Shows(t, func(v catalog.Specification) any { return contract.SpecificationOf(z, v) })
	optest.Shows(t, func(a catalog.Attribute) any { return contract.AttributeOf(z, a) })
	optest.Shows(t, func(r promotion.GroupRule) any { return contract.GroupRuleOf(z, r) }, "Deleted")
	optest.Shows(t, func(q content.Question) any { return contract.QuestionOf(z, q) }, "Version")
	optest.Shows(t, func(l domainorder.Line) any { return contract.OrderLineOf(z, l) }, "Reduction", "Deleted")
	optest.Shows(t, func(c aftersale.Case) any { return contract.AftersaleOf(c, nil) }, "HandleTime", "BackTime", "ArriveTime", "AddTime", "UpdateTime")
	optest.Shows(t, func(a domainaddress.Address) any { return address.View(z, a) })
	optest.Shows(t, func(o domainorder.Order) any { return order.RecordOf(z, o) }, "CouponUserID", "PayBefore", "PayChannel", "Deleted",
		"HiddenFromShopper", "Delivery", "CollectCode", "CollectAddress", "CollectHours") // which the order's own page shows
}
