package access

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// caller is the operator on whose behalf something is changed, with what they may do at this very moment.
type caller struct {
	id     int64
	values []string
}

// callerNow reads who is calling, inside the turn that the transaction has taken: what let the call in may be gone by
// now. It fails with errno.LoginRequired for an operator who was deleted or locked, and with errno.NoPermission for one
// who has lost the permission of this call.
func callerNow(ctx context.Context, tx *db.Tx, id int64) (caller, error) {
	o, found, err := operators.Live(ctx, tx, id)
	if err != nil {
		return caller{}, err
	}
	if !found || o.Locked {
		return caller{}, fmt.Errorf("operator %d is gone: %w", id, errno.LoginRequired)
	}
	values, err := valuesOf(ctx, tx, id)
	if err != nil {
		return caller{}, err
	}
	c := caller{id: id, values: values}
	if call, known := audit.From(ctx); known && !c.holds(call.Permission) {
		return caller{}, fmt.Errorf("operator %d has lost %s: %w", id, call.Permission, errno.NoPermission)
	}
	return c, nil
}

func (c caller) super() bool { return slices.Contains(c.values, Super) }

func (c caller) holds(values ...string) bool {
	if c.super() {
		return true
	}
	for _, v := range values {
		if !slices.Contains(c.values, v) {
			return false
		}
	}
	return true
}

// mayTouch holds the rules about a role as a whole: one that grants everything is a super operator's, and any other one
// is for those who hold all that it grants. It fails with errno.RoleSuperProtected and errno.NoPermission.
func (c caller) mayTouch(role int64, granted []string) error {
	switch {
	case c.super():
		return nil
	case slices.Contains(granted, Super):
		return fmt.Errorf("operator %d, role %d: %w", c.id, role, errno.RoleSuperProtected.Because(text.RoleSuper))
	case !c.holds(granted...):
		return fmt.Errorf("role %d grants more than operator %d holds: %w", role, c.id,
			errno.NoPermission.Because(text.GrantBeyond))
	}
	return nil
}

// mayHandOut holds the rule about giving roles to an operator and taking them away: only roles that grant nothing
// beyond what the caller holds. It fails with errno.AdminAlterNotAllowed.
func (c caller) mayHandOut(ctx context.Context, tx *db.Tx, stored, wanted []int64) error {
	if c.super() {
		return nil
	}
	var moved []int64
	for _, id := range stored {
		if !slices.Contains(wanted, id) {
			moved = append(moved, id)
		}
	}
	for _, id := range wanted {
		if !slices.Contains(stored, id) {
			moved = append(moved, id)
		}
	}
	granted, err := grantedBy(ctx, tx, moved...)
	if err != nil {
		return err
	}
	for _, id := range moved {
		if !c.holds(granted[id]...) {
			return fmt.Errorf("operator %d gives or takes role %d, which is beyond them: %w", c.id, id,
				errno.AdminAlterNotAllowed.Because(text.RoleBeyond))
		}
	}
	return nil
}

// isSuper reports whether an operator may do everything, locked or not.
func isSuper(ctx context.Context, tx *db.Tx, operator int64) (bool, error) {
	values, err := valuesOf(ctx, tx, operator)
	return slices.Contains(values, Super), err
}
