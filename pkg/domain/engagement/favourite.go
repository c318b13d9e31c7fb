package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

// Kind is what a favourite is about.
type Kind int

// The kinds of favourites.
const (
	Goods Kind = 0
	Topic Kind = 1
)

// Collected is a favourite as stored.
type Collected struct {
	ID, UserID, ValueID int64
	Type                Kind
	AddTime, UpdateTime time.Time
}

var favourites = table.Of[Collected]("collect",
	table.Refers("user_id", "user"),
	table.Refers("value_id", "goods").When("t.type = 0"),
	table.Refers("value_id", "topic").When("t.type = 1"),
)

// Favourite is a favourite with the current data of its goods or topic.
type Favourite struct {
	ID, ValueID         int64
	Kind                Kind `gorm:"column:type"`
	Name, Brief, PicURL string
	Price               money.Amount
	AddTime             time.Time
}

// HasCollected reports whether a thing is among the shopper's favourites, as it was at most a second ago. What the
// shopper does in this process counts at once.
func (s *Service) HasCollected(ctx context.Context, shopper int64, kind Kind, id int64) (bool, error) {
	return s.collected.Get(ctx, choice{shopper, kind, id})
}

// choice is a thing that a shopper may have among the favourites.
type choice struct {
	shopper int64
	kind    Kind
	id      int64
}

const (
	// choiceAge is how old the answer of HasCollected may be, choiceTimeout bounds the time of reading it, and maxChoices
	// the answers in memory.
	choiceAge     = time.Second
	choiceTimeout = 5 * time.Second
	maxChoices    = 50_000
)

func hasCollected(ctx context.Context, q db.Querier, shopper int64, kind Kind, id int64) (bool, error) {
	return favourites.Exists(ctx, q, "user_id = ? AND type = ? AND value_id = ? AND deleted = 0", shopper, kind, id)
}

// Toggle adds a thing to the shopper's favourites, or removes it, and reports whether it was added. Concurrent calls
// toggle one after the other. It fails with errno.Invalid when adding an unknown thing; a deleted one can still be
// removed.
func (s *Service) Toggle(ctx context.Context, shopper int64, kind Kind, id int64) (bool, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (bool, error) {
		if err := toggle(ctx, tx, shopper, kind, id, s.clock()); err != nil {
			return false, err
		}
		tx.OnCommit(func() { s.collected.Invalidate(choice{shopper, kind, id}) })
		added, err := hasCollected(ctx, tx, shopper, kind, id)
		if err != nil || !added {
			return false, err
		}
		there, err := exists(ctx, tx, kind, id)
		if err == nil && !there {
			err = fmt.Errorf("collect %d of kind %d: %w", id, kind, errno.NoSuch(text.FieldGoodsOrTopic))
		}
		return true, err
	})
}

// toggle flips the flag of the row of a shopper and a thing, or creates the row, in one statement, so that a concurrent
// call waits.
func toggle(ctx context.Context, tx *db.Tx, shopper int64, kind Kind, id int64, at time.Time) error {
	err := tx.G(ctx).Exec(`INSERT INTO collect (user_id, type, value_id, add_time, update_time)
		VALUES (@shopper, @kind, @id, @at, @at)
		ON DUPLICATE KEY UPDATE deleted = 1 - deleted, add_time = @at, update_time = @at`,
		map[string]any{"shopper": shopper, "kind": kind, "id": id, "at": at}).Error
	if err != nil {
		return fmt.Errorf("turn a favourite of shopper %d: %w", shopper, err)
	}
	return nil
}

func exists(ctx context.Context, q db.Querier, kind Kind, id int64) (bool, error) {
	if kind == Topic {
		return content.TopicExists(ctx, q, id)
	}
	return catalog.Exists(ctx, q, id)
}

// Favourites lists the shopper's favourites of a kind. Deleted things are neither shown nor counted; goods off sale
// are. Sort is add_time or id.
func (s *Service) Favourites(
	ctx context.Context, shopper int64, kind Kind, q page.Query,
) (page.List[Favourite], error) {
	cards := catalog.LiveCards
	if kind == Topic {
		cards = content.LiveCards
	}
	return lists.FetchJoin[Favourite](ctx, s.db, lists.Join{
		Columns: "c.id, c.value_id, c.type, c.add_time, g.name, g.brief, g.pic_url, g.price",
		From: `collect c
			JOIN (` + cards + `) g ON g.id = c.value_id
			WHERE c.user_id = ? AND c.type = ? AND c.deleted = 0`,
		Args: []any{shopper, kind}, Order: sortedBy("add_time"),
	}, q)
}

// AllFavourites lists the favourites of all shoppers.
func (s *Service) AllFavourites(ctx context.Context, f TraceFilter, q page.Query) (page.List[Collected], error) {
	list := lists.Of(favourites).ID("id", f.ID).ID("user_id", f.Shopper).ID("value_id", f.Thing)
	return traces[Collected](ctx, s, list, q)
}
