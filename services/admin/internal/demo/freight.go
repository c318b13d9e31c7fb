package demo

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/seed"
)

// freights are templates that staff may give to goods: none of the demo shop's has one, so that freight is by the
// settings until somebody chooses.
var freights = []freight.Template{
	{
		Name: "按重量计费", Charge: freight.ByWeight, PieceWeight: 500, Rules: []freight.Rule{
			{First: 1000, FirstPrice: money.Yuan(10), Further: 1000, FurtherPrice: money.Yuan(4)},
			{
				First: 1000, FirstPrice: money.Yuan(6), Further: 1000, FurtherPrice: money.Yuan(2),
				Regions: []int{310000, 320000, 330000}, FreeFrom: money.Yuan(88),
			},
			{
				First: 1000, FirstPrice: money.Yuan(20), Further: 1000, FurtherPrice: money.Yuan(15),
				Regions: []int{540000, 650000},
			},
		},
	},
	{
		Name: "按件计费，偏远地区不配送", Charge: freight.ByPieces, Rules: []freight.Rule{
			{First: 1, FirstPrice: money.Yuan(8), Further: 1, FurtherPrice: money.Yuan(1), FreeFrom: money.Yuan(99)},
			{First: 1, Further: 1, Refused: true, Regions: []int{540000, 650000, 710000, 810000, 820000}},
		},
	},
}

func (l *loader) makeFreights(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Freights, freights, func(ctx context.Context, _ int, t freight.Template) (int64, error) {
		made, err := l.Freight.Create(ctx, t)
		return made.ID, err
	})
	return err
}
