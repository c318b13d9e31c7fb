// Package review owns comments on goods and topics, and the shop's replies. Authors are read from the accounts each
// time, so that a changed name shows; a deleted author is empty.
package review

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
)

// Kind is what a comment is about.
type Kind int

// The kinds of comments.
const (
	Goods Kind = 0
	Topic Kind = 1
)

// kinds are the comments that the shop shows and answers.
var kinds = []Kind{Goods, Topic}

// Comment is a comment with the shop's reply, empty if there is none.
type Comment struct {
	ID, ValueID, UserID int64
	Kind                Kind `gorm:"column:type"`
	Content             string
	Reply               string `gorm:"column:admin_content"`
	Star                int
	Pictures            []string `gorm:"column:pic_urls;serializer:list"`
	// Hidden says that staff have taken the comment off the shop's pages.
	Hidden bool
	// Author is empty if the account is deleted.
	Author              account.Person `gorm:"-"`
	AddTime, UpdateTime time.Time
}

// row is a comment as stored.
type row struct {
	Comment
	// OrderGoodsID is the order line that the comment is about, 0 for none.
	OrderGoodsID int64 `table:"null"`
	HasPicture   bool
}

var comments = table.Of[row]("comment", table.Versioned,
	table.Refers("user_id", "user"),
	table.Refers("value_id", "goods").When("t.type = 0"),
	table.Refers("value_id", "topic").When("t.type = 1"),
	table.MayRefer("order_goods_id", "order_goods"),
)

func (r row) comment() Comment { return r.Comment }

// Counts are the numbers of comments on one subject.
type Counts struct{ All, WithPictures int64 }

// Subject is what comments are about.
type Subject struct {
	Kind Kind
	ID   int64
	// WithPictures leaves out the comments without pictures.
	WithPictures bool
}

// People returns the public names of shoppers; ids of deleted accounts are left out.
type People func(ctx context.Context, q db.Querier, ids []int64) (map[int64]account.Person, error)

// Service manages comments.
type Service struct {
	db      *db.DB
	lists   *lists.Engine
	people  People
	changed func(goodsID int64)
	now     func() time.Time
}

// New returns the service. changed is called, after the commit, for goods with a new comment.
func New(d *db.DB, people People, changed func(goodsID int64), now func() time.Time) *Service {
	return &Service{db: d, lists: lists.New(d), people: people, changed: changed, now: now}
}

// Count counts the comments on a subject that the shop shows.
func (s *Service) Count(ctx context.Context, kind Kind, id int64) (Counts, error) {
	return countComments(ctx, s.db, kind, id)
}

func countComments(ctx context.Context, q db.Querier, kind Kind, id int64) (Counts, error) {
	var r struct{ N, Pictures int64 }
	err := table.Scan(ctx, q, &r, `SELECT COUNT(*) AS n, COALESCE(SUM(has_picture), 0) AS pictures FROM comment
		WHERE type = ? AND value_id = ? AND deleted = 0 AND hidden = 0`, kind, id)
	if err != nil {
		return Counts{}, fmt.Errorf("count comments: %w", err)
	}
	return Counts{All: r.N, WithPictures: r.Pictures}, nil
}

// rated is the number of comments that an average is taken of.
const rated = 1000

const average = `SELECT COALESCE(AVG(n.star), 0) FROM (
	SELECT star FROM comment
	WHERE type = ? AND value_id = ? AND deleted = 0 AND hidden = 0
	ORDER BY add_time DESC, id DESC
	LIMIT ?) n`

// Stars returns the average number of stars that the newest comments on a subject give, 0 without comments. It reads at
// most a thousand of those that the shop shows.
func (s *Service) Stars(ctx context.Context, kind Kind, id int64) (float64, error) {
	var stars float64
	if err := table.Scan(ctx, s.db, &stars, average, kind, id, rated); err != nil {
		return 0, fmt.Errorf("read the stars of comments: %w", err)
	}
	return stars, nil
}

// StarsLater is Stars, read with what else is queued.
func (s *Service) StarsLater(ctx context.Context, q db.Queue, kind Kind, id int64) (func() float64, error) {
	rows, err := table.SelectLater[float64](ctx, q, average, kind, id, rated)
	return func() float64 {
		if all := rows(); len(all) > 0 {
			return all[0]
		}
		return 0
	}, err
}

// List lists the comments on a thing that the shop shows, with their authors. Sort is add_time or id.
func (s *Service) List(ctx context.Context, about Subject, q page.Query) (page.List[Comment], error) {
	found, err := lists.Fetch[row](ctx, s.lists, about.list(), q)
	if err != nil {
		return page.List[Comment]{}, fmt.Errorf("list comments: %w", err)
	}
	return s.signed(ctx, found)
}

// FirstLater reads the first page of List with what else is queued. The function returns it, after it has read the
// authors, if there are any, and the number of more comments.
func (s *Service) FirstLater(
	ctx context.Context, q db.Queue, about Subject, w page.Query,
) (func(context.Context) (page.List[Comment], error), error) {
	first, err := lists.FirstLater[row](ctx, q, s.lists, about.list(), w)
	return func(ctx context.Context) (page.List[Comment], error) {
		found, err := first.List(ctx)
		if err != nil {
			return page.List[Comment]{}, fmt.Errorf("list comments: %w", err)
		}
		return s.signed(ctx, found)
	}, err
}

func (s Subject) list() *lists.Query {
	l := lists.Of(comments).Equals("value_id", s.ID).Covered("i.type = ? AND i.hidden = 0", s.Kind)
	if s.WithPictures {
		l.Covered("i.has_picture = 1")
	}
	return l
}

func (s *Service) signed(ctx context.Context, found page.List[row]) (page.List[Comment], error) {
	list := page.Map(found, func(r row) Comment { return r.Comment })
	return list, s.sign(ctx, list.Items)
}

// sign adds the authors to comments, in one query.
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

// Create adds a comment without an order line, such as one on a topic, and returns its id. It fails with errno.Invalid
// for stars outside 1 to 5.
func (s *Service) Create(ctx context.Context, c Comment) (id int64, err error) {
	if c.Star < 1 || c.Star > 5 {
		return 0, errno.Invalid.Because(text.ValidationRange, text.FieldRating, 1, 5)
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if c.Kind == Goods {
			tx.OnCommit(func() { s.changed(c.ValueID) })
		}
		id, err = insert(ctx, tx, c, 0, s.now().UTC().Truncate(time.Millisecond))
		return err
	})
	return id, err
}

// insert stores a comment on an order line, or on none for 0.
func insert(ctx context.Context, tx *db.Tx, c Comment, line int64, at time.Time) (int64, error) {
	c.AddTime, c.UpdateTime = at, at
	id, err := comments.Insert(ctx, tx, row{Comment: c, OrderGoodsID: line, HasPicture: len(c.Pictures) > 0})
	if err != nil {
		return 0, err
	}
	return id, upload.Use(ctx, tx, c.Pictures)
}

// PictureLists returns the stored picture lists of the comments that shoppers have written since a time.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = table.Scan(ctx, q, &lists,
		"SELECT pic_urls FROM comment WHERE user_id IN ? AND add_time >= ? AND has_picture = 1",
		shoppers, since)
	if err != nil {
		return nil, fmt.Errorf("read pictures of comments: %w", err)
	}
	return lists, nil
}
