package engagement

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
)

type searchRow struct {
	ID         int64
	Keyword    string
	UpdateTime time.Time
}

func remember(ctx context.Context, q db.Querier, shopper int64, keyword string, at time.Time) error {
	res := q.G(ctx).Exec("INSERT INTO search_history (user_id, keyword, source, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE times = times + 1, update_time = ?, deleted = 0",
		shopper, keyword, source, at, at, at)
	if res.Error != nil {
		return fmt.Errorf("record a search of shopper %d: %w", shopper, res.Error)
	}
	if res.RowsAffected != 1 { // searched for before
		return nil
	}
	return trimSearches(ctx, q, shopper)
}

// mostSearches is how many keywords of one shopper are kept, forgotten ones included.
const mostSearches = 100

// trimSearches removes the keywords beyond the latest mostSearches of a shopper, always in one statement.
func trimSearches(ctx context.Context, q db.Querier, shopper int64) error {
	err := q.G(ctx).Exec("DELETE FROM search_history WHERE user_id = ? AND id NOT IN (SELECT id FROM "+
		"(SELECT id FROM search_history WHERE user_id = ? ORDER BY update_time DESC, id DESC LIMIT ?) AS latest)",
		shopper, shopper, mostSearches).Error
	if err != nil {
		return fmt.Errorf("trim the searches of shopper %d: %w", shopper, err)
	}
	return nil
}

func latestSearches(ctx context.Context, q db.Querier, shopper int64, n int) ([]Search, error) {
	var rows []searchRow
	err := q.G(ctx).Raw("SELECT id, keyword, update_time FROM search_history WHERE user_id = ? AND deleted = 0 "+
		"ORDER BY update_time DESC, id DESC LIMIT ?", shopper, n).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the searches of shopper %d: %w", shopper, err)
	}
	out := make([]Search, len(rows))
	for i, r := range rows {
		out[i] = Search{ID: r.ID, Keyword: r.Keyword, Time: r.UpdateTime}
	}
	return out, nil
}

func forgetSearches(ctx context.Context, q db.Querier, shopper int64, at time.Time) error {
	err := q.G(ctx).Exec("UPDATE search_history SET deleted = 1, update_time = ? WHERE user_id = ? AND deleted = 0",
		at, shopper).Error
	if err != nil {
		return fmt.Errorf("forget the searches of shopper %d: %w", shopper, err)
	}
	return nil
}

func insertFeedback(ctx context.Context, tx *db.Tx, f Feedback, username string, at time.Time) error {
	pictures := f.Pictures
	if pictures == nil {
		pictures = []string{}
	}
	list, err := json.Marshal(pictures)
	if err != nil {
		return fmt.Errorf("write the pictures of feedback: %w", err)
	}
	err = tx.G(ctx).Exec("INSERT INTO feedback (user_id, username, mobile, feed_type, content, status, has_picture, "+
		"pic_urls, add_time, update_time) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
		f.Shopper, username, f.Mobile, f.FeedType, f.Content, len(pictures) > 0, string(list), at, at).Error
	if err != nil {
		return fmt.Errorf("store the feedback of shopper %d: %w", f.Shopper, err)
	}
	return upload.Use(ctx, tx, pictures)
}

// PictureLists returns the lists of pictures of the feedback that shoppers have written since a moment, as they are
// stored.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = q.G(ctx).Raw("SELECT pic_urls FROM feedback WHERE user_id IN ? AND add_time >= ? AND has_picture = 1",
		shoppers, since).Scan(&lists).Error
	if err != nil {
		return nil, fmt.Errorf("read pictures of feedback: %w", err)
	}
	return lists, nil
}
