package access

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
)

// caller is the operator who makes a change, with their current permissions.
type caller struct {
	id     int64
	values []string
}

// callerNow loads the caller after lockGrants, because the rights that authorized the call may be gone by now. It fails
// with errno.LoginRequired for an operator who was deleted or locked, and with errno.NoPermission for one who has lost
// the permission of this call.
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

// mayTouch checks whether the caller may change a role as a whole: a super role only by a super operator, any other
// role by operators who hold everything that it grants. It fails with errno.RoleSuperProtected and errno.NoPermission.
func (c caller) mayTouch(role int64, granted []string) error {
	switch {
	case c.super():
		return nil
	case slices.Contains(granted, Super):
		return fmt.Errorf("operator %d, role %d: %w", c.id, role, errno.RoleSuperProtected.Because(text.RoleSuper))
	case !c.holds(granted...):
		return fmt.Errorf("role %d grants more than operator %d holds: %w", role, c.id,
			errno.NoPermission.Because(text.GrantNotHeld))
	}
	return nil
}

// mayHandOut checks whether the caller may change the roles of an operator: only roles that grant nothing beyond what
// the caller holds may be added or removed. It fails with errno.AdminAlterNotAllowed.
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
				errno.AdminAlterNotAllowed.Because(text.RoleNotHeld))
		}
	}
	return nil
}

// isSuper reports whether an operator has a super role, locked or not.
func isSuper(ctx context.Context, tx *db.Tx, operator int64) (bool, error) {
	values, err := valuesOf(ctx, tx, operator)
	return slices.Contains(values, Super), err
}
