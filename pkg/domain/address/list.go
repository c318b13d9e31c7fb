package address

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/page"
)

// The sort words of a shopper's list.
const (
	// DefaultFirst sorts the default address first, then by time.
	DefaultFirst = "default_first"
	// ByTime sorts by the time of entry and ByID by id.
	ByTime = "add_time"
	ByID   = "id"
)

// orders maps a sort word and a direction to SQL, so that no text of a client gets there.
var orders = map[string]map[bool]string{
	DefaultFirst: {false: "is_default DESC, add_time ASC, id ASC", true: "is_default DESC, add_time DESC, id DESC"},
	ByTime:       {false: "add_time ASC, id ASC", true: "add_time DESC, id DESC"},
	ByID:         {false: "id ASC", true: "id DESC"},
}

// List returns the shopper's addresses, sorted by DefaultFirst, ByTime or ByID.
func (s *Service) List(ctx context.Context, shopper int64, q page.Query) (page.List[Address], error) {
	if orders[q.Sort] == nil {
		return page.List[Address]{}, fmt.Errorf("addresses have no order %q", q.Sort)
	}
	list, err := lists.FetchJoin[Address](ctx, s.db, lists.Join{
		Columns: addresses.Columns("r"), From: "address r WHERE r.user_id = ? AND r.deleted = 0", Args: []any{shopper},
		Order: func(q page.Query) string { return orders[q.Sort][q.Desc] },
	}, q)
	if err != nil {
		return list, fmt.Errorf("list the addresses of shopper %d: %w", shopper, err)
	}
	return list, nil
}

// Filter filters the addresses of all shoppers. The zero filter matches all of them.
type Filter struct {
	// ID is that of the address, Shopper its owner; nil matches any.
	ID, Shopper *int64
	// Name is a part of the recipient's name.
	Name string
}

// All lists the addresses of all shoppers, by ByTime or ByID.
func (s *Service) All(ctx context.Context, f Filter, q page.Query) (page.List[Address], error) {
	list := lists.Of(addresses).ID("id", f.ID).ID("user_id", f.Shopper).Contains("name", f.Name)
	found, err := lists.Fetch[Address](ctx, s.lists, list, q)
	if err != nil {
		return page.List[Address]{}, fmt.Errorf("list all addresses: %w", err)
	}
	return found, nil
}
