// Package review owns what shoppers say about goods and topics, and the shop's replies. Who said it is asked of the
// accounts each time, so that a changed name shows and a vanished author leaves empty texts.
package review

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// Kind is what a comment is about.
type Kind int

// The kinds of comments.
const (
	Goods Kind = 0
	Topic Kind = 1
)

// Comment is one opinion with the shop's reply, which is empty until there is one.
type Comment struct {
	ID, ValueID, UserID int64
	Kind                Kind
	Content, Reply      string
	Star                int
	Pictures            []string
	// Author is empty where the shopper no longer exists.
	Author              account.Person
	AddTime, UpdateTime time.Time
}

// Counts are the numbers of comments on one thing.
type Counts struct{ All, WithPictures int64 }

// Subject is what comments are asked for.
type Subject struct {
	Kind Kind
	ID   int64
	// WithPictures leaves out the comments without pictures.
	WithPictures bool
}

// People returns the public names of shoppers; ids of shoppers that no longer exist are left out.
type People func(ctx context.Context, q db.Querier, ids []int64) (map[int64]account.Person, error)

// Service keeps the comments.
type Service struct {
	db      *db.DB
	people  People
	changed func(goodsID int64)
	now     func() time.Time
}

// New returns the keeper of comments on a pool. changed is told, after the commit, of goods that have a new comment.
func New(d *db.DB, people People, changed func(goodsID int64), now func() time.Time) *Service {
	return &Service{db: d, people: people, changed: changed, now: now}
}

// Count returns how many comments there are on a thing.
func (s *Service) Count(ctx context.Context, kind Kind, id int64) (Counts, error) {
	return countComments(ctx, s.db, kind, id)
}

// List lists the comments on a thing with their authors. Sort is add_time or id.
func (s *Service) List(ctx context.Context, about Subject, q page.Query) (page.List[Comment], error) {
	count := func() (int64, error) {
		n, err := countComments(ctx, s.db, about.Kind, about.ID)
		if about.WithPictures {
			return n.WithPictures, err
		}
		return n.All, err
	}
	return page.Fetch(q, count, func(q page.Query) ([]Comment, error) {
		list, err := listComments(ctx, s.db, about, q)
		if err != nil {
			return nil, err
		}
		return list, s.sign(ctx, list)
	})
}

// sign puts the authors' names on comments, with one question for all of them.
func (s *Service) sign(ctx context.Context, list []Comment) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(list))
	for _, c := range list {
		ids = append(ids, c.UserID)
	}
	people, err := s.people(ctx, s.db, ids)
	if err != nil {
		return fmt.Errorf("read the authors of comments: %w", err)
	}
	for i := range list {
		list[i].Author = people[list[i].UserID]
	}
	return nil
}

// Create adds a comment that belongs to no order line, such as one on a topic, and returns its id. It fails with
// errno.Invalid for stars outside 1 to 5.
func (s *Service) Create(ctx context.Context, c Comment) (id int64, err error) {
	if c.Star < 1 || c.Star > 5 {
		return 0, errno.Invalid.Because(text.MemberBetween, text.Member("star"), 1, 5)
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c.Kind == Goods {
			tx.OnCommit(func() { s.changed(c.ValueID) })
		}
		id, err = insertComment(ctx, tx, c, s.now().UTC().Truncate(time.Millisecond))
		return err
	})
	return id, err
}
