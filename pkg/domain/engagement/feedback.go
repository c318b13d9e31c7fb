package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Feedback is a message of a shopper to the shop.
type Feedback struct {
	Shopper                   int64 `gorm:"column:user_id"`
	FeedType, Content, Mobile string
	Pictures                  []string `gorm:"column:pic_urls;serializer:list"`
}

// StoredFeedback is feedback as stored.
type StoredFeedback struct {
	ID int64
	Feedback
	// Username is the shopper's login name at the time.
	Username            string
	Status              int
	WithPictures        bool `gorm:"column:has_picture"`
	AddTime, UpdateTime time.Time
}

var feedback = table.Of[StoredFeedback]("feedback",
	table.MayRefer("user_id", "user"),
)

// Submit stores feedback under the account's current login name.
func (s *Service) Submit(ctx context.Context, f Feedback) error {
	return idempotency.DoAfter(ctx, s.once, func() (func(*db.Tx) error, error) {
		who, err := s.accounts.Info(ctx, f.Shopper)
		return func(tx *db.Tx) error {
			l := StoredFeedback{Feedback: f, Username: who.Username, WithPictures: len(f.Pictures) > 0}
			if _, err := feedback.InsertAt(ctx, tx, l, s.clock()); err != nil {
				return err
			}
			return upload.Use(ctx, tx, f.Pictures)
		}, err
	})
}

// FeedbackFilter filters feedback. The zero filter matches all of it.
type FeedbackFilter struct {
	ID, Shopper *int64
	// Username is a part of the name.
	Username string
}

// AllFeedback lists the feedback of all shoppers.
func (s *Service) AllFeedback(ctx context.Context, f FeedbackFilter, q page.Query) (page.List[StoredFeedback], error) {
	list := lists.Of(feedback).ID("id", f.ID).ID("user_id", f.Shopper).
		Contains("username", f.Username)
	return traces[StoredFeedback](ctx, s, list, q)
}

// PictureLists returns the stored picture lists of the feedback that shoppers have written since a time.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = table.Scan(ctx, q, &lists,
		"SELECT pic_urls FROM feedback WHERE user_id IN ? AND add_time >= ? AND has_picture = 1",
		shoppers, since)
	if err != nil {
		return nil, fmt.Errorf("read pictures of feedback: %w", err)
	}
	return lists, nil
}
