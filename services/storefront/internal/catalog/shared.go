package catalog

import (
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
)

// InfoView renders goods as on their page, also for group invitations.
func InfoView(zone wire.Zone) func(catalog.Goods) Info {
	h := handlers{}
	h.Zone = zone
	return h.info
}

// RuleView renders a group-buy rule as on the page of its goods.
func RuleView(zone wire.Zone) func(promotion.GroupRule) Rule {
	h := handlers{}
	h.Zone = zone
	return h.rule
}
