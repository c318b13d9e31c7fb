package review

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

// Filter filters all comments. The zero filter matches all of them.
type Filter struct {
	// ID is that of the comment, Shopper its author and Goods its subject; nil matches any, Goods topics as well.
	ID, Shopper, Goods *int64
}

// All lists the comments of all shoppers, without the authors' names. Sort is add_time or id.
func (s *Service) All(ctx context.Context, f Filter, q page.Query) (page.List[Comment], error) {
	list := lists.Of(comments).ID("id", f.ID).ID("user_id", f.Shopper).ID("value_id", f.Goods)
	if f.Goods != nil {
		list.Where("i.type = ?", int(Goods))
	}
	found, err := lists.Fetch[row](ctx, s.lists, list, q)
	if err != nil {
		return page.List[Comment]{}, fmt.Errorf("list all comments: %w", err)
	}
	return page.Map(found, row.comment), nil
}

// Remove deletes a comment. Its order line stays commented. An unknown comment is no error.
func (s *Service) Remove(ctx context.Context, id int64) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		c, found, err := comments.LockLive(ctx, tx, id)
		if err != nil {
			return err
		}
		if !found {
			return audit.Record(ctx, tx, audit.Change{ID: id})
		}
		set := table.Set{"update_time": s.now().UTC().Truncate(time.Millisecond)}
		if _, err := comments.Remove(ctx, tx, set, "id = ?", id); err != nil {
			return err
		}
		if c.Kind == Goods {
			tx.OnCommit(func() { s.changed(c.ValueID) })
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: c.recorded(), Result: strconv.FormatInt(c.ID, 10)})
	})
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	return nil
}

// recorded is what audit records show of a comment.
type recorded struct {
	ID, ValueID, UserID   int64
	Type                  Kind
	Content, AdminContent string
	Star                  int
	PicUrls               []string
	AddTime               time.Time
}

func (c Comment) recorded() recorded {
	return recorded{c.ID, c.ValueID, c.UserID, c.Kind, c.Content, c.Reply, c.Star, c.Pictures, c.AddTime}
}

// Reply sets the shop's reply to a comment, once. It fails with errno.Invalid for an unknown comment and with
// errno.OrderReplyExists for one with a reply.
func (l *Lines) Reply(ctx context.Context, id int64, reply string) error {
	return idempotency.Do(ctx, l.once, func(tx *db.Tx) error {
		now := l.comments.now().UTC().Truncate(time.Millisecond)
		replied, err := comments.Moved(ctx, tx, table.Set{"admin_content": reply, "update_time": now},
			"id = ? AND type IN ? AND admin_content = '' AND deleted = 0", id, kinds)
		if err != nil {
			return fmt.Errorf("reply to comment %d: %w", id, err)
		}
		c, ok, err := comments.One(ctx, tx, "r.id = ? AND r.type IN ? AND r.deleted = 0", id, kinds)
		switch {
		case err != nil:
			return err
		case !ok:
			return fmt.Errorf("reply to comment %d: %w", id, errno.NoSuch(text.FieldComment))
		case !replied:
			return fmt.Errorf("reply to comment %d: %w", id, errno.OrderReplyExists)
		}
		if c.Kind == Goods {
			tx.OnCommit(func() { l.comments.changed(c.ValueID) })
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: replies{""}, After: replies{c.Reply}, Result: strconv.FormatInt(id, 10), Comment: "",
		})
	})
}

// replies is what audit records show of a reply.
type replies struct{ AdminContent string }
