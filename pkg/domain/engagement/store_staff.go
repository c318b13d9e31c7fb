package engagement

import (
	"encoding/json"
	"fmt"
	"time"
)

// letterColumns are those of letterRow, with the alias r.
const letterColumns = "r.id, r.user_id, r.username, r.mobile, r.feed_type, r.content, r.status, r.has_picture, " +
	"COALESCE(r.pic_urls, '') AS pic_urls, r.add_time, r.update_time"

type letterRow struct {
	ID, UserID                          int64
	Username, Mobile, FeedType, Content string
	Status                              int
	HasPicture                          bool
	PicUrls                             string
	AddTime, UpdateTime                 time.Time
}

func (r letterRow) letter() (Letter, error) {
	l := Letter{
		ID: r.ID, Username: r.Username, Status: r.Status, WithPictures: r.HasPicture, AddTime: r.AddTime,
		UpdateTime: r.UpdateTime,
		Feedback:   Feedback{Shopper: r.UserID, FeedType: r.FeedType, Content: r.Content, Mobile: r.Mobile},
	}
	if r.PicUrls == "" {
		return l, nil
	}
	if err := json.Unmarshal([]byte(r.PicUrls), &l.Pictures); err != nil {
		return l, fmt.Errorf("pictures of feedback %d: %w", r.ID, err)
	}
	return l, nil
}
