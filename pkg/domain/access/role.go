package access

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// Role is a named set of permission values.
type Role struct {
	ID                  int64
	Name, Description   string
	Enabled             bool
	AddTime, UpdateTime time.Time
}

var roles = table.Of[Role]("role", table.Versioned, table.Marked)

// RoleChange is a partial update of a role; nil fields stay unchanged.
type RoleChange struct {
	Name, Description *string
	Enabled           *bool
}

// recorded is what audit records show of a role.
func (r Role) recorded() map[string]any {
	return map[string]any{"name": r.Name, "desc": r.Description, "enabled": r.Enabled}
}

// Roles lists the live roles whose name contains a text. Sort is add_time or id.
func (s *Service) Roles(ctx context.Context, name string, q page.Query) (page.List[Role], error) {
	return lists.Fetch[Role](ctx, s.lists, lists.Of(roles).Contains("name", name), q)
}

// AllRoles returns all live roles, the oldest first.
func (s *Service) AllRoles(ctx context.Context) ([]Role, error) {
	return roles.Find(ctx, s.db, "r.deleted = 0 ORDER BY r.add_time, r.id")
}

// Role returns a live role. It fails with errno.Invalid.
func (s *Service) Role(ctx context.Context, id int64) (Role, error) {
	return edit.Find(ctx, s.db, roles, text.FieldRole, id)
}

// Granted returns the permissions of a live role, also of a disabled one. It fails with errno.Invalid.
func (s *Service) Granted(ctx context.Context, role int64) ([]string, error) {
	granted, err := grantedBy(ctx, s.db, role)
	if err != nil {
		return nil, err
	}
	values, found := granted[role]
	if !found {
		return nil, fmt.Errorf("find role %d: %w", role, errno.NoSuch(text.FieldRole))
	}
	return values, nil
}

// CreateRole creates a role without permissions. It fails with errno.RoleNameExists.
func (s *Service) CreateRole(ctx context.Context, by actor.Actor, r Role) (Role, error) {
	return changeOnce(ctx, s, func() (func(tx *db.Tx) (Role, error), error) {
		return func(tx *db.Tx) (Role, error) {
			if _, err := callerNow(ctx, tx, by.ID); err != nil {
				return r, err
			}
			made, at := r, s.now()
			made.AddTime, made.UpdateTime = at, at
			var err error
			if made.ID, err = insertRole(ctx, tx, r, at); err != nil {
				return made, err
			}
			return made, audit.Record(ctx, tx, audit.Change{ID: made.ID, After: made.recorded(), Result: made.Name})
		}, nil
	})
}

// insertRole fails with errno.RoleNameExists.
func insertRole(ctx context.Context, tx *db.Tx, r Role, at time.Time) (int64, error) {
	if err := checkRoleName(ctx, tx, r); err != nil {
		return 0, err
	}
	id, err := roles.InsertAt(ctx, tx, r, at)
	if db.Duplicate(err, "uk_role_name") {
		return 0, fmt.Errorf("insert role %s: %w", r.Name, errno.RoleNameExists)
	}
	return id, err
}

// checkRoleName fails with errno.RoleNameExists if another live role has a name that is the same to people. The caller
// has locked the grants. The unique key holds back only names that are the same to the database.
func checkRoleName(ctx context.Context, tx *db.Tx, r Role) error {
	other, err := roleNamed(ctx, tx, r.Name, r.ID)
	if err == nil && other != 0 {
		err = fmt.Errorf("name role %d as role %d: %w", r.ID, other, errno.RoleNameExists)
	}
	return err
}

// roleNamed returns the id of a live role with a name that is the same to people, other than except; 0 for none.
func roleNamed(ctx context.Context, tx *db.Tx, name string, except int64) (int64, error) {
	others, err := roles.Find(ctx, tx, "r.deleted = 0 AND r.id <> ? ORDER BY r.id", except)
	if err != nil {
		return 0, fmt.Errorf("read the names of roles: %w", err)
	}
	folded := form.Fold(name)
	for _, o := range others {
		if form.Fold(o.Name) == folded {
			return o.ID, nil
		}
	}
	return 0, nil
}

// UpdateRole changes a role on behalf of an operator. It fails with errno.UpdateFailed for an unknown one,
// errno.RoleNameExists, errno.RoleSuperProtected for a super role that is to be disabled or that the caller does not
// hold, and errno.NoPermission for a role that grants what the caller does not hold.
func (s *Service) UpdateRole(ctx context.Context, by actor.Actor, id int64, change RoleChange) (Role, error) {
	return changeOnce(ctx, s, func() (func(tx *db.Tx) (Role, error), error) {
		return func(tx *db.Tx) (Role, error) { return s.updateRole(ctx, tx, by, id, change) }, nil
	})
}

func (s *Service) updateRole(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64, change RoleChange,
) (Role, error) {
	before, granted, found, err := roleFor(ctx, tx, by, id)
	if err == nil && !found {
		err = fmt.Errorf("update role %d: %w", id, errno.UpdateFailed)
	}
	if err != nil {
		return Role{}, err
	}
	after := before
	if after.UpdateTime, err = seen.Next(ctx, "role", id, before.UpdateTime, s.now()); err != nil {
		return Role{}, err
	}
	patch.Apply(&after, change)
	if before.Enabled && !after.Enabled && slices.Contains(granted, Super) {
		return Role{}, fmt.Errorf("disable role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperRequired))
	}
	if err := checkRoleName(ctx, tx, after); err != nil {
		return Role{}, err
	}
	if err := setRole(ctx, tx, after); err != nil {
		return Role{}, err
	}
	return after, audit.Record(ctx, tx, audit.Change{
		ID: id, Before: before.recorded(), After: after.recorded(), Result: after.Name,
	})
}

// setRole writes the columns of a role that can be changed. It fails with errno.RoleNameExists.
func setRole(ctx context.Context, tx *db.Tx, r Role) error {
	changed, err := roles.Moved(ctx, tx, table.Set{
		"name": r.Name, "description": r.Description, "enabled": r.Enabled, "update_time": r.UpdateTime,
	}, "id = ? AND deleted = 0", r.ID)
	if db.Duplicate(err, "uk_role_name") {
		return fmt.Errorf("rename role %d: %w", r.ID, errno.RoleNameExists)
	}
	return inTime("role", r.ID, changed, err)
}

// roleFor loads a role that the caller is about to change as a whole, with its permissions. It fails with
// errno.RoleSuperProtected and errno.NoPermission if they may not.
func roleFor(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64,
) (r Role, granted []string, found bool, err error) {
	c, err := callerNow(ctx, tx, by.ID)
	if err != nil {
		return r, nil, false, err
	}
	if r, found, err = roles.Live(ctx, tx, id); err != nil || !found {
		return r, nil, found, err
	}
	all, err := grantedBy(ctx, tx, id)
	if err != nil {
		return r, nil, true, err
	}
	return r, all[id], true, c.mayTouch(id, all[id])
}

// DeleteRole deletes a role with its permissions, on behalf of an operator; an unknown one is no error. It fails with
// errno.RoleSuperProtected for a super role, errno.NoPermission for one that grants what the caller does not hold, and
// errno.RoleInUse while a live operator has it.
func (s *Service) DeleteRole(ctx context.Context, by actor.Actor, id int64) error {
	return s.change(ctx, func(tx *db.Tx) error {
		r, granted, found, err := roleFor(ctx, tx, by, id)
		if err != nil {
			return err
		}
		if !found {
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		if slices.Contains(granted, Super) {
			return fmt.Errorf("delete role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperRequired))
		}
		assigned, err := roleAssignments.From(ctx, tx, `admin_role r
			JOIN admin a ON a.id = r.admin_id
			WHERE r.role_id = ? AND a.deleted = 0
			LIMIT 1`, id)
		if err != nil {
			return err
		}
		if len(assigned) > 0 {
			return fmt.Errorf("delete role %d: %w", id, errno.RoleInUse)
		}
		if err := deleteRole(ctx, tx, id, s.now()); err != nil {
			return err
		}
		was := r.recorded()
		was["permissions"] = granted
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: was, Result: r.Name})
	})
}

// deleteRole soft-deletes a role and its permissions.
func deleteRole(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	n, err := roles.Remove(ctx, tx, table.Set{"update_time": at}, "id = ?", id)
	if err := inTime("role", id, n == 1, err); err != nil {
		return err
	}
	_, err = permissions.Remove(ctx, tx, table.Set{"update_time": at}, "role_id = ?", id)
	return err
}

// SetGranted replaces the permissions of a role, on behalf of an operator. The caller checks that the values exist. It
// fails with errno.Invalid for an unknown role, errno.RoleSuperProtected for a super role and for making a role one,
// and errno.NoPermission if a permission is added or removed that the caller does not hold.
func (s *Service) SetGranted(ctx context.Context, by actor.Actor, id int64, values []string) error {
	wanted := slices.Compact(slices.Sorted(slices.Values(values)))
	return s.change(ctx, func(tx *db.Tx) error {
		c, err := callerNow(ctx, tx, by.ID)
		if err != nil {
			return err
		}
		r, err := edit.Find(ctx, tx, roles, text.FieldRole, id)
		if err != nil {
			return err
		}
		granted, err := grantedBy(ctx, tx, id)
		if err != nil {
			return err
		}
		added, removed := grantsBeyond(wanted, granted[id]), grantsBeyond(granted[id], wanted)
		switch {
		case slices.Contains(granted[id], Super), slices.Contains(wanted, Super):
			return fmt.Errorf("grant to role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperGrant))
		case !c.holds(added...) || !c.holds(removed...):
			return fmt.Errorf("operator %d, role %d: %w", by.ID, id, errno.NoPermission.Because(text.GrantNotHeld))
		}
		at := s.now()
		if err := deleteGrants(ctx, tx, id, removed, at); err != nil {
			return err
		}
		if err := insertGrants(ctx, tx, id, added, at); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Result: r.Name, Comment: text.LogGrants.Stored(len(added), len(removed)),
			Before: map[string]any{"permissions": granted[id]}, After: map[string]any{"permissions": append([]string{},
				wanted...)},
		})
	})
}

// grantsBeyond returns the values of list that other lacks.
func grantsBeyond(list, other []string) []string {
	var out []string
	for _, v := range list {
		if !slices.Contains(other, v) {
			out = append(out, v)
		}
	}
	return out
}
