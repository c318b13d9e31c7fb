package catalog

import (
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
)

// InfoView renders a goods as its page does; invitations into group purchases show the same.
func InfoView(zone wire.Zone) func(catalog.Goods) Info {
	h := new(Handlers)
	h.zone = zone
	return h.info
}

// RuleView renders a groupon offer as the page of its goods does.
func RuleView(zone wire.Zone) func(promotion.GroupRule) Rule {
	h := new(Handlers)
	h.zone = zone
	return h.rule
}
