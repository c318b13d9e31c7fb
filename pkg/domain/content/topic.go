package content

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/richtext"
	"shop.internal/pkg/domain/text"
)

func (s *Service) topics() edit.CRUD[Topic] {
	return edit.CRUD[Topic]{
		Table: "topic", Once: s.once, Lock: lockTopic,
		Insert: func(ctx context.Context, tx *db.Tx, t Topic) (int64, error) {
			return insertTopic(ctx, tx, t, s.clock())
		},
		Save:   func(ctx context.Context, tx *db.Tx, id int64, t Topic) error { return saveTopic(ctx, tx, id, t) },
		Remove: s.remover("topic"),
	}
}

// tidied cleans a topic: its markup, and goods that are not there or named twice.
func (s *Service) tidied(ctx context.Context) func(*db.Tx, *Topic) error {
	return func(tx *db.Tx, t *Topic) error {
		if t.Price < 0 || t.Price > money.Max {
			return errno.Invalid.Because(text.MemberBetween, text.Member("price"), money.Amount(0), money.Max)
		}
		t.Content = richtext.Clean(t.Content)
		live, err := catalog.Live(ctx, tx, t.Goods)
		if err != nil {
			return err
		}
		var goods []int64
		for _, id := range t.Goods {
			if slices.Contains(live, id) && !slices.Contains(goods, id) {
				goods = append(goods, id)
			}
		}
		t.Goods = goods
		return nil
	}
}

// CreateTopic adds a topic. Its content is cleaned, and goods that are not there are left out. It fails with
// errno.Invalid for a price that no column holds.
func (s *Service) CreateTopic(ctx context.Context, t Topic) (Topic, error) {
	return s.topics().Create(ctx, t, s.tidied(ctx))
}

// ChangeTopic changes a topic as CreateTopic makes one. Seen is the time of the last change that the editor knows
// of, in whole seconds; where it is given and another, the call fails with errno.Stale. It fails with
// errno.UpdateFailed where there is no topic.
func (s *Service) ChangeTopic(ctx context.Context, id int64, seen time.Time, change func(*Topic)) (Topic, error) {
	return s.topics().Update(ctx, id, func(tx *db.Tx, t *Topic) error {
		if !seen.IsZero() && !seen.Equal(t.UpdateTime.Truncate(time.Second)) {
			return fmt.Errorf("topic %d was changed at %s: %w", id, t.UpdateTime, errno.Stale)
		}
		next := edit.After(t.UpdateTime, s.clock())
		change(t)
		t.UpdateTime = next
		return s.tidied(ctx)(tx, t)
	})
}

// DeleteTopics deletes topics, as far as they are there.
func (s *Service) DeleteTopics(ctx context.Context, ids ...int64) error {
	return s.topics().Delete(ctx, edit.Always[Topic], ids...)
}

// FindTopics lists whole topics whose title and subtitle contain these texts. Sort is add_time, id or price.
func (s *Service) FindTopics(ctx context.Context, title, subtitle string, w page.Query) (page.List[Topic], error) {
	found, err := listing.Fetch[topicRow](ctx, s.db, titled(title, subtitle), w)
	if err != nil {
		return page.List[Topic]{}, fmt.Errorf("list topics: %w", err)
	}
	return page.Turn(found, topicRow.topic)
}
