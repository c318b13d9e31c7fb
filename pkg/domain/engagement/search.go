package engagement

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"
)

// longestKeyword is how many characters of a keyword are kept.
const longestKeyword = 63

// source is where the shopper searched; there is one storefront.
const source = "wx"

// Search is a keyword that a shopper searched for, with the time of the latest search.
type Search struct {
	ID      int64
	Keyword string
	Time    time.Time
}

// Remember records that a shopper searched for a keyword. A blank one is not kept, nor one longer than 63 characters:
// cut, it would be a word that nobody searched for.
func (s *Service) Remember(ctx context.Context, shopper int64, keyword string) error {
	keyword = strings.TrimSpace(keyword)
	if keyword == "" || utf8.RuneCountInString(keyword) > longestKeyword {
		return nil
	}
	return remember(ctx, s.db, shopper, keyword, s.clock())
}

// Searches returns the shopper's latest n keywords, the latest first.
func (s *Service) Searches(ctx context.Context, shopper int64, n int) ([]Search, error) {
	return latestSearches(ctx, s.db, shopper, n)
}

// ForgetSearches removes all keywords of the shopper.
func (s *Service) ForgetSearches(ctx context.Context, shopper int64) error {
	return forgetSearches(ctx, s.db, shopper, s.clock())
}
