package catalog

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/crud"
	"shop.internal/services/admin/internal/menu"
)

// freights are the operations /admin/freight/list, /admin/freight/create, /admin/freight/read, /admin/freight/update
// and /admin/freight/delete.
func (h treeHandlers) freights() []op.Op {
	return crud.Resource{
		Path: "/admin/freight", Menu: menu.Freights(), One: "a freight template", Many: "freight templates",
		List:   crud.List(4, h.freight, h.listFreights),
		Create: crud.Create(8, h.freight, h.createFreight),
		Read:   crud.Read(3, h.freight, h.Freight.Template),
		Update: crud.Update(9, h.freight, wire.Expecting(h.Zone, h.updateFreight)),
		Delete: crud.Delete(6, h.Freight.Delete).Titled("Delete a freight template that no goods name"),
		Columns: op.Columns{
			Names: []string{"name", "charge", "addTime"}, Opens: "name",
		},
	}.Ops()
}

// ListFreights is the query of /admin/freight/list.
type ListFreights struct {
	wire.Paging
	Name string `json:"name" doc:"Words of the name, in any order, taken literally."`
}

// Freight says what delivery costs for the goods that name it.
type Freight struct {
	ID          int64         `json:"id"`
	Name        string        `json:"name"`
	Charge      int           `json:"charge" show:"one=freight-charge"`
	PieceWeight int           `json:"pieceWeight"`
	Rules       []FreightRule `json:"rules"`
	wire.Stamps
}

// FreightRule is what delivery to some regions costs.
type FreightRule struct {
	Regions      []int      `json:"regions" show:"regions"`
	Refused      bool       `json:"refused"`
	FirstUnits   int        `json:"firstUnits"`
	FirstPrice   wire.Money `json:"firstPrice"`
	FurtherUnits int        `json:"furtherUnits"`
	FurtherPrice wire.Money `json:"furtherPrice"`
	FreeFrom     wire.Money `json:"freeFrom"`
}

// NewFreight is the request of /admin/freight/create.
type NewFreight struct {
	Name        string           `json:"name" check:"required,maxLength=63,visible"`
	Charge      int              `json:"charge" check:"required,enum=1|2" show:"one=freight-charge"`
	PieceWeight int              `json:"pieceWeight" check:"range=weight" doc:"By weight: for goods without one."`
	Rules       []NewFreightRule `json:"rules" check:"required,notEmpty,maxItems=100"`
}

// FreightChange is the request of /admin/freight/update; absent members stay unchanged, rules are replaced as a whole.
type FreightChange struct {
	wire.Ref
	wire.Expected
	Name        *string           `json:"name" check:"notBlank,maxLength=63,visible"`
	Charge      *int              `json:"charge" check:"enum=1|2" show:"one=freight-charge"`
	PieceWeight *int              `json:"pieceWeight" check:"range=weight" doc:"By weight: for goods without one."`
	Rules       *[]NewFreightRule `json:"rules" check:"notEmpty,maxItems=100"`
}

// NewFreightRule is a rule as staff enters it.
type NewFreightRule struct {
	Regions      []int64      `json:"regions" check:"maxItems=4000" doc:"Codes; none for all others." show:"regions"`
	Refused      bool         `json:"refused" doc:"Nothing is delivered there."`
	FirstUnits   int          `json:"firstUnits" check:"default=1,range=freight-units" doc:"Grams or pieces."`
	FirstPrice   money.Amount `json:"firstPrice" check:"range=price"`
	FurtherUnits int          `json:"furtherUnits" check:"default=1,range=freight-units" doc:"Grams or pieces."`
	FurtherPrice money.Amount `json:"furtherPrice" check:"range=price"`
	FreeFrom     money.Amount `json:"freeFrom" check:"range=price" doc:"What these goods cost together; 0 for never."`
}

func (h treeHandlers) freight(t freight.Template) Freight {
	return Freight{
		ID: t.ID, Name: t.Name, Charge: int(t.Charge), PieceWeight: t.PieceWeight,
		Rules: wire.OrEmpty(wire.Each(t.Rules, func(r freight.Rule) FreightRule {
			return FreightRule{
				Regions: wire.OrEmpty(r.Regions), Refused: r.Refused, FirstUnits: r.First, FirstPrice: wire.Money(r.FirstPrice),
				FurtherUnits: r.Further, FurtherPrice: wire.Money(r.FurtherPrice), FreeFrom: wire.Money(r.FreeFrom),
			}
		})),
		Stamps: h.Zone.Stamps(t.AddTime, t.UpdateTime),
	}
}

// rules converts rules as staff enters them.
func rules(list []NewFreightRule) []freight.Rule {
	return wire.Each(list, func(r NewFreightRule) freight.Rule {
		return freight.Rule{
			Regions: wire.Each(r.Regions, func(code int64) int { return int(code) }), Refused: r.Refused,
			First: r.FirstUnits, FirstPrice: r.FirstPrice, Further: r.FurtherUnits, FurtherPrice: r.FurtherPrice,
			FreeFrom: r.FreeFrom,
		}
	})
}

func (h treeHandlers) listFreights(
	ctx context.Context, r ListFreights, q page.Query,
) (page.List[freight.Template], error) {
	return h.Freight.List(ctx, r.Name, q)
}

func (h treeHandlers) createFreight(ctx context.Context, r NewFreight) (freight.Template, error) {
	return h.Freight.Create(ctx, freight.Template{
		Name: r.Name, Charge: freight.Charge(r.Charge), PieceWeight: r.PieceWeight, Rules: rules(r.Rules),
	})
}

func (h treeHandlers) updateFreight(ctx context.Context, r FreightChange) (freight.Template, error) {
	return h.Freight.Change(ctx, r.ID, func(t *freight.Template) {
		if r.Name != nil {
			t.Name = *r.Name
		}
		if r.Charge != nil {
			t.Charge = freight.Charge(*r.Charge)
		}
		if r.PieceWeight != nil {
			t.PieceWeight = *r.PieceWeight
		}
		if r.Rules != nil {
			t.Rules = rules(*r.Rules)
		}
	})
}
