// Package freight owns the freight templates of the shop, and computes what delivery costs. It owns the tables
// freight and freight_rule. Goods name their template in the catalogue.
//
// An order stores its freight: no change of a template or of goods changes an order that was placed.
package freight

import (
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/table"
)

// Charge is what a template counts.
type Charge int

// What a template counts: the grams of what is sent, or its pieces.
const (
	ByWeight Charge = 1
	ByPieces Charge = 2
)

// Charges are all of them.
var Charges = []Charge{ByWeight, ByPieces}

// Template says what delivery costs for the goods that name it.
type Template struct {
	ID     int64
	Name   string
	Charge Charge
	// PieceWeight is what a piece of goods without a weight counts for, in grams; 0 where pieces are counted.
	PieceWeight int
	// Rules are in the order in which staff wrote them. One has no regions, and no region is in two.
	Rules               []Rule `gorm:"-"`
	AddTime, UpdateTime time.Time
	Version             int
}

// Rule is what delivery to some regions costs.
type Rule struct {
	ID, FreightID int64
	// Regions are the codes of provinces, cities and counties, ascending; the rule without any is for everywhere else.
	Regions []int `gorm:"serializer:list"`
	// Refused says that nothing is delivered there, whatever the prices are.
	Refused bool
	// First are the units that FirstPrice covers, Further those that FurtherPrice covers: grams or pieces.
	First        int `gorm:"column:first_units"`
	FirstPrice   money.Amount
	Further      int `gorm:"column:further_units"`
	FurtherPrice money.Amount
	// FreeFrom is the price of the goods from which delivery is free, 0 for never.
	FreeFrom money.Amount
}

var (
	templates = table.Of[Template]("freight")
	rules     = table.Of[Rule]("freight_rule", table.Refers("freight_id", "freight"))
)

const (
	// maxTemplates bounds what every process keeps in memory, maxRules the rules of a template.
	maxTemplates = 200
	maxRules     = 100
)

// Check refuses a template that does not say for every place what delivery costs: it fails with errno.Invalid. It puts
// regions in order.
func (t *Template) Check() error {
	switch {
	case !slices.Contains(Charges, t.Charge):
		return errno.Invalid.About(text.FieldCharge)
	case t.Charge == ByPieces:
		t.PieceWeight = 0
	case t.PieceWeight < 1 || !bound.Weight.Contains(int64(t.PieceWeight)):
		return errno.Invalid.Because(text.ValidationRange, text.FieldPieceWeight, 1, bound.Weight.Max)
	}
	if len(t.Rules) > maxRules {
		return errno.Invalid.Because(text.ValidationMaxItems, text.FieldRules, maxRules)
	}
	elsewhere, named := 0, map[int]bool{}
	for i := range t.Rules {
		r := &t.Rules[i]
		if err := r.check(); err != nil {
			return err
		}
		if len(r.Regions) == 0 {
			elsewhere++
		}
		for _, code := range r.Regions {
			name, known := NameOf(code)
			switch {
			case !known:
				return fmt.Errorf("region %d: %w", code, errno.NoSuch(text.FieldRegions))
			case named[code]:
				return errno.Invalid.Because(text.FreightRegionTwice, name)
			}
			named[code] = true
		}
	}
	if elsewhere != 1 {
		return errno.Invalid.Because(text.FreightElsewhere)
	}
	return nil
}

func (r *Rule) check() error {
	r.Regions = slices.Clone(r.Regions)
	slices.Sort(r.Regions)
	for _, units := range []struct {
		field *text.Field
		n     int
	}{{text.FieldFirstUnits, r.First}, {text.FieldFurtherUnits, r.Further}} {
		if !bound.FreightUnits.Contains(int64(units.n)) {
			return errno.Invalid.Because(text.ValidationRange, units.field, bound.FreightUnits.Min, bound.FreightUnits.Max)
		}
	}
	for _, price := range []struct {
		field *text.Field
		of    money.Amount
	}{{text.FieldFirstPrice, r.FirstPrice}, {text.FieldFurtherPrice, r.FurtherPrice}, {text.FieldFreeFrom, r.FreeFrom}} {
		if !bound.Price.Contains(int64(price.of)) {
			return errno.Invalid.Because(text.ValidationRange, price.field,
				money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
		}
	}
	return nil
}
