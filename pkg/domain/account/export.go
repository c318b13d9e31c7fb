package account

import (
	"context"

	"shop.internal/pkg/domain/internal/listing"
)

// EachMember hands over all accounts that a filter chooses, newest first, a batch at a time.
func (s *Service) EachMember(ctx context.Context, f MemberFilter, yield func([]Member) error) error {
	list := listing.Of("user", memberColumns).Contains("username", f.Username)
	if f.Mobile != "" {
		list.Where("i.mobile = ? AND i.del_mark = 0", f.Mobile)
	}
	return listing.Each(ctx, s.db, list, func(rows []memberRow) error {
		all := make([]Member, len(rows))
		for i, r := range rows {
			all[i] = r.member()
		}
		return yield(all)
	})
}
