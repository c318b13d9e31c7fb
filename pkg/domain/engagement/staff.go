package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

// Operators see the traces of all shoppers as they are kept, also of what is gone. The lists are sorted by add_time,
// which is when a trace was first left, or by id.

// TraceFilter chooses among traces. The zero filter is all of them.
type TraceFilter struct {
	// Shopper left the trace on Thing; nil is any.
	Shopper, Thing *int64
}

// Collected is a favourite as it is kept.
type Collected struct {
	ID, UserID, ValueID int64
	Type                Kind
	AddTime, UpdateTime time.Time
}

// AllFavourites lists the favourites of all shoppers.
func (s *Service) AllFavourites(ctx context.Context, f TraceFilter, q page.Query) (page.List[Collected], error) {
	list := listing.Of("collect", "r.id, r.user_id, r.value_id, r.type, r.add_time, r.update_time").
		ID("user_id", f.Shopper).ID("value_id", f.Thing)
	return traces[Collected](ctx, s, list, q)
}

// Seen is a footprint as it is kept. AddTime is the first look.
type Seen struct {
	ID, UserID, GoodsID int64
	AddTime, UpdateTime time.Time
}

// AllFootprints lists the footprints of all shoppers.
func (s *Service) AllFootprints(ctx context.Context, f TraceFilter, q page.Query) (page.List[Seen], error) {
	list := listing.Of("footprint", "r.id, r.user_id, r.goods_id, r.add_time, r.update_time").
		ID("user_id", f.Shopper).ID("goods_id", f.Thing)
	return traces[Seen](ctx, s, list, q)
}

// Searched is a keyword as it is kept. AddTime is the first search for it.
type Searched struct {
	ID, UserID          int64
	Keyword, Source     string
	AddTime, UpdateTime time.Time
}

// SearchFilter chooses among keywords. The zero filter is all of them.
type SearchFilter struct {
	Shopper *int64
	// Keyword is a part of the keyword.
	Keyword string
}

// AllSearches lists the keywords of all shoppers.
func (s *Service) AllSearches(ctx context.Context, f SearchFilter, q page.Query) (page.List[Searched], error) {
	list := listing.Of("search_history", "r.id, r.user_id, r.keyword, r.source, r.add_time, r.update_time").
		ID("user_id", f.Shopper).Contains("keyword", f.Keyword)
	return traces[Searched](ctx, s, list, q)
}

// Letter is feedback as it is kept.
type Letter struct {
	ID int64
	Feedback
	// Username is the name that the shopper had then.
	Username            string
	Status              int
	WithPictures        bool
	AddTime, UpdateTime time.Time
}

// LetterFilter chooses among feedback. The zero filter is all of it.
type LetterFilter struct {
	ID, Shopper *int64
	// Username is a part of the name.
	Username string
}

// Letters lists the feedback of all shoppers.
func (s *Service) Letters(ctx context.Context, f LetterFilter, q page.Query) (page.List[Letter], error) {
	list := listing.Of("feedback", letterColumns).ID("id", f.ID).ID("user_id", f.Shopper).
		Contains("username", f.Username)
	found, err := traces[letterRow](ctx, s, list, q)
	if err != nil {
		return page.List[Letter]{}, err
	}
	return page.Turn(found, letterRow.letter)
}

func traces[R any](ctx context.Context, s *Service, l *listing.Query, q page.Query) (page.List[R], error) {
	found, err := listing.Fetch[R](ctx, s.db, l, q)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("list the traces of all shoppers: %w", err)
	}
	return found, nil
}
