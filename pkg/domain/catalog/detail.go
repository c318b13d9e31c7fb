package catalog

import (
	"context"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Detail is everything in the catalogue about one goods.
type Detail struct {
	Goods          Goods
	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
	// Brand is nil for goods without a brand or with a deleted one.
	Brand *Brand
}

// Reads returns a queue for the reads of a screen that combines areas.
func (s *Service) Reads() *db.Reads { return s.db.Reads() }

// Detail returns everything about one goods, on sale or not. It fails with errno.GoodsUnknown.
func (s *Service) Detail(ctx context.Context, id int64) (Detail, error) {
	return detailOf(ctx, s.db.Reads(), id)
}

// DetailLater is Detail, read with what else is queued.
func (*Service) DetailLater(ctx context.Context, q db.Queue, id int64) (func() (Detail, error), error) {
	return detailLater(ctx, q, id)
}

func detailOf(ctx context.Context, q db.Queue, id int64) (Detail, error) {
	detail, err := detailLater(ctx, q, id)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return Detail{}, err
	}
	return detail()
}

// branded is goods with their brand, the zero Brand for none.
type branded struct {
	Goods
	Brand Brand `gorm:"embedded;embeddedPrefix:b_"`
}

var selectBranded = "SELECT " + goods.Columns("r") + ", COALESCE(c.detail, '') AS detail, " +
	brands.ColumnsAs("b", "b_") + `
	FROM goods r
	LEFT JOIN goods_content c ON c.goods_id = r.id
	LEFT JOIN brand b ON b.id = r.brand_id AND b.deleted = 0
	WHERE `

// detailLater reads the goods first, so that an edit notices what changes between the statements.
func detailLater(ctx context.Context, q db.Queue, id int64) (func() (Detail, error), error) {
	found, err := table.SelectLater[branded](ctx, q, selectBranded+isLive, id)
	if err != nil {
		return nil, err
	}
	children, err := childrenLater(ctx, q, id)
	return func() (Detail, error) {
		if len(found()) == 0 {
			return Detail{}, noGoods(id)
		}
		g := found()[0]
		d := children([]Goods{g.Goods})[0]
		if g.Brand.ID != 0 {
			d.Brand = &g.Brand
		}
		return d, nil
	}, err
}

// detailsOf reads the children of goods.
func detailsOf(ctx context.Context, q db.Queue, list []Goods) ([]Detail, error) {
	ids := make([]int64, len(list))
	for i, g := range list {
		ids[i] = g.ID
	}
	children, err := childrenLater(ctx, q, ids...)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return nil, err
	}
	return children(list), nil
}

// childrenLater reads the children of goods, with one statement for each kind. The function adds them to the goods.
func childrenLater(ctx context.Context, q db.Queue, ids ...int64) (func([]Goods) []Detail, error) {
	values, err := specifications.FindLater(ctx, q, ofGoods, ids)
	if err != nil {
		return nil, err
	}
	choices, err := table.SelectLater[Product](ctx, q, selectProducts, ids)
	if err != nil {
		return nil, err
	}
	parameters, err := attributes.FindLater(ctx, q, ofGoods, ids)
	return func(list []Goods) []Detail {
		details, of := make([]Detail, len(list)), make(map[int64]*Detail, len(list))
		for i, g := range list {
			details[i].Goods, of[g.ID] = g, &details[i]
		}
		for _, v := range values() {
			of[v.GoodsID].Specifications = append(of[v.GoodsID].Specifications, v)
		}
		for _, p := range choices() {
			of[p.GoodsID].Products = append(of[p.GoodsID].Products, p)
		}
		for _, a := range parameters() {
			of[a.GoodsID].Attributes = append(of[a.GoodsID].Attributes, a)
		}
		return details
	}, err
}
