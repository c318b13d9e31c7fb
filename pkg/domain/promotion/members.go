package promotion

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// mostParts bounds how many of a shopper's groups are shown at once.
const mostParts = 1000

// OwnPart finds the shopper's own part in the group that a part belongs to, the one that holds a place before one that
// was given up. It fails with errno.Invalid for a shopper who has none, as for an unknown part.
func (s *Service) OwnPart(ctx context.Context, shopper, id int64) (Member, error) {
	p, ok, err := partByID(ctx, s.db, id)
	if err == nil && ok && p.UserID != shopper {
		p, ok, err = ownPart(ctx, s.db, shopper, p.Group())
	}
	if err == nil && !ok {
		err = errno.NoSuch("grouponId")
	}
	return p, wrap(err, "find the part of shopper %d in group %d", shopper, id)
}

// Opening finds the opener's part of the group that a part belongs to. It fails with errno.Invalid.
func (s *Service) Opening(ctx context.Context, id int64) (Member, error) {
	p, ok, err := partByID(ctx, s.db, id)
	if err == nil && ok && !p.IsOpener() {
		p, ok, err = partByID(ctx, s.db, p.Joined)
	}
	if err == nil && !ok {
		err = errno.NoSuch("grouponId")
	}
	return p, wrap(err, "find group %d", id)
}

// Parts returns the shopper's parts that are past waiting for money: in groups that they opened or joined. The
// newest comes first.
func (s *Service) Parts(ctx context.Context, shopper int64, joined bool) ([]Member, error) {
	found, err := partsOf(ctx, s.db, shopper, joined, mostParts)
	return found, wrap(err, "list the groups of shopper %d", shopper)
}

// Members returns the shoppers of groups: the opener first, then the joiners who have paid and not left, in the order
// in which they joined.
func (s *Service) Members(ctx context.Context, openers []Member) (map[int64][]int64, error) {
	ids := make([]int64, len(openers))
	members := make(map[int64][]int64, len(openers))
	for i, o := range openers {
		ids[i], members[o.Group()] = o.Group(), []int64{o.OpenerID}
	}
	joiners, err := joinersOf(ctx, s.db, ids)
	if err != nil {
		return nil, fmt.Errorf("read the members of %d groups: %w", len(ids), err)
	}
	for _, j := range joiners {
		members[j.Joined] = append(members[j.Joined], j.UserID)
	}
	return members, nil
}

// SetShareURL replaces the address of the share picture of a group, unless it is no longer from or the group is gone;
// it reports whether it did. It is no move: update time and version stay.
func (s *Service) SetShareURL(ctx context.Context, tx *db.Tx, group int64, from, to string) (bool, error) {
	set, err := setShareURL(ctx, tx, group, from, to)
	return set, wrap(err, "set the share picture of group %d", group)
}
