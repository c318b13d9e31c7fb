package engagement

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/page"
)

const (
	// maxKeyword bounds the characters of a stored keyword.
	maxKeyword = 63
	// maxSearches bounds the stored keywords of a shopper, deleted ones included.
	maxSearches = 100
	// source is the client of the search; there is one storefront.
	source = "wx"
)

// Searched is a keyword as stored. AddTime is the first search.
type Searched struct {
	ID, UserID          int64
	Keyword, Source     string
	AddTime, UpdateTime time.Time
}

type searchRow struct {
	Searched

	Times int
}

// Search is a keyword of a shopper with the time of the latest search.
type Search struct {
	ID      int64
	Keyword string
	Time    time.Time `gorm:"column:update_time"`
}

var (
	searches = table.Of[searchRow]("search_history",
		table.Refers("user_id", "user"),
	)
	searched = table.Part[Searched](searches)
	latest   = table.Part[Search](searches)
)

// Remember records a search. Blank keywords and those longer than 63 characters are not stored. While Gather runs it is
// written a little later.
func (s *Service) Remember(ctx context.Context, shopper int64, keyword string) error {
	keyword = strings.TrimSpace(keyword)
	if keyword == "" || utf8.RuneCountInString(keyword) > maxKeyword {
		return nil
	}
	k, at := keyed{shopper, keyword}, s.clock()
	if s.gathered.looksFor(k, at) {
		return nil
	}
	return s.writeSearch(ctx, k, repeated{1, at})
}

func (s *Service) writeSearches(ctx context.Context, all map[keyed]repeated) error {
	for k, r := range all {
		if err := s.writeSearch(ctx, k, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) writeSearch(ctx context.Context, k keyed, r repeated) error {
	res := s.db.G(ctx).Exec(`INSERT INTO search_history (user_id, keyword, source, times, add_time, update_time)
		VALUES (@shopper, @keyword, @source, @times, @at, @at)
		ON DUPLICATE KEY UPDATE times = times + @times, update_time = @at, deleted = 0`,
		map[string]any{"shopper": k.shopper, "keyword": k.keyword, "source": source, "times": r.times, "at": r.at})
	if res.Error != nil {
		return fmt.Errorf("record a search of shopper %d: %w", k.shopper, res.Error)
	}
	if res.RowsAffected != 1 { // searched for before
		return nil
	}
	return s.trimSearches(ctx, k.shopper)
}

// trimSearches removes a shopper's keywords beyond the latest maxSearches, in one statement.
func (s *Service) trimSearches(ctx context.Context, shopper int64) error {
	err := s.db.G(ctx).Exec(`DELETE FROM search_history
		WHERE user_id = ? AND id NOT IN (SELECT id FROM (SELECT id FROM search_history
			WHERE user_id = ?
			ORDER BY update_time DESC, id DESC
			LIMIT ?) AS latest)`, shopper, shopper, maxSearches).Error
	if err != nil {
		return fmt.Errorf("trim the searches of shopper %d: %w", shopper, err)
	}
	return nil
}

// Searches returns the shopper's latest n keywords, newest first.
func (s *Service) Searches(ctx context.Context, shopper int64, n int) ([]Search, error) {
	if err := s.flushFor(ctx, shopper); err != nil {
		return nil, err
	}
	return latest.Find(ctx, s.db, "user_id = ? AND deleted = 0 ORDER BY update_time DESC, id DESC LIMIT ?", shopper, n)
}

// ForgetSearches removes all keywords of the shopper.
func (s *Service) ForgetSearches(ctx context.Context, shopper int64) error {
	if err := s.flushFor(ctx, shopper); err != nil {
		return err
	}
	_, err := searches.Remove(ctx, s.db, table.Set{"update_time": s.clock()}, "user_id = ?", shopper)
	return err
}

// SearchFilter filters keywords. The zero filter matches all of them.
type SearchFilter struct {
	// ID is that of the record; nil matches any, as of Shopper.
	ID, Shopper *int64
	// Keyword is a part of the keyword.
	Keyword string
}

// AllSearches lists the keywords of all shoppers.
func (s *Service) AllSearches(ctx context.Context, f SearchFilter, q page.Query) (page.List[Searched], error) {
	list := lists.Of(searched).ID("id", f.ID).ID("user_id", f.Shopper).Contains("keyword", f.Keyword)
	return traces[Searched](ctx, s, list, q)
}
