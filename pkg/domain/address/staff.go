package address

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

// Filter chooses among the addresses of all shoppers. The zero filter is all of them.
type Filter struct {
	// Shopper is the owner, nil for any.
	Shopper *int64
	// Name is a part of the recipient's name.
	Name string
}

// All lists the addresses of all shoppers, by ByTime or ByID.
func (s *Service) All(ctx context.Context, f Filter, q page.Query) (page.List[Address], error) {
	list := listing.Of("address", columnsOfAll).ID("user_id", f.Shopper).Contains("name", f.Name)
	found, err := listing.Fetch[row](ctx, s.db, list, q)
	if err != nil {
		return page.List[Address]{}, fmt.Errorf("list all addresses: %w", err)
	}
	return page.Map(found, row.address), nil
}

// columnsOfAll are those of row, with the alias r.
const columnsOfAll = "r.id, r.user_id, r.name, r.province, r.city, r.county, r.address_detail, r.area_code, " +
	"r.postal_code, r.tel, r.is_default, r.add_time, r.update_time"

// Division is a region with those below it.
type Division struct {
	Region
	// Below is empty where there are none.
	Below []Division
}

// Divisions returns all regions as a tree, by code. What it returns is shared: the caller must not change it.
func (s *Service) Divisions(ctx context.Context) ([]Division, error) {
	below, err := s.regions.below(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	return divided(below, 0, depth), nil
}

// depth is how far regions go down: provinces, cities, counties. A region that lies below itself goes no further.
const depth = 3

func divided(below map[int64][]Region, parent int64, deep int) []Division {
	if deep == 0 {
		return nil
	}
	all := make([]Division, len(below[parent]))
	for i, r := range below[parent] {
		all[i] = Division{Region: r, Below: divided(below, r.ID, deep-1)}
	}
	return all
}
