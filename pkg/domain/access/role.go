package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// Role is a named set of permission values.
type Role struct {
	ID                  int64
	Name, Description   string
	Enabled             bool
	AddTime, UpdateTime time.Time
}

type roleRow struct {
	ID          int64
	Name        string
	Description *string
	Enabled     bool
	AddTime     time.Time
	UpdateTime  time.Time
}

const roleColumns = "r.id, r.name, r.description, r.enabled, r.add_time, r.update_time"

func (r roleRow) role() Role {
	out := Role{ID: r.ID, Name: r.Name, Enabled: r.Enabled, AddTime: r.AddTime, UpdateTime: r.UpdateTime}
	if r.Description != nil {
		out.Description = *r.Description
	}
	return out
}

// RoleChange is what is to become of a role; nil members stay as they are.
type RoleChange struct {
	Name, Description *string
	Enabled           *bool
}

// recorded is what the record of a change says of a role.
func (r Role) recorded() map[string]any {
	return map[string]any{"name": r.Name, "desc": r.Description, "enabled": r.Enabled}
}

// Roles lists the live roles whose name contains a text. Sort is add_time or id.
func (s *Service) Roles(ctx context.Context, name string, q page.Query) (page.List[Role], error) {
	return listRoles(ctx, s.db, name, q)
}

// AllRoles returns all live roles, the oldest first.
func (s *Service) AllRoles(ctx context.Context) ([]Role, error) { return allRoles(ctx, s.db) }

// Role returns a live role. It fails with errno.Invalid.
func (s *Service) Role(ctx context.Context, id int64) (Role, error) {
	r, found, err := findRole(ctx, s.db, id)
	if err == nil && !found {
		err = fmt.Errorf("find role %d: %w", id, errno.NoSuch("roleId"))
	}
	return r, err
}

// Granted returns what a live role grants, or would if it were enabled. It fails with errno.Invalid.
func (s *Service) Granted(ctx context.Context, role int64) ([]string, error) {
	granted, err := grantedBy(ctx, s.db, role)
	if err != nil {
		return nil, err
	}
	values, found := granted[role]
	if !found {
		return nil, fmt.Errorf("find role %d: %w", role, errno.NoSuch("roleId"))
	}
	return values, nil
}

// CreateRole makes a role that grants nothing yet. It fails with errno.RoleNameExists.
func (s *Service) CreateRole(ctx context.Context, by int64, r Role) (Role, error) {
	return changeOnce(ctx, s, func() (func(tx *db.Tx) (Role, error), error) {
		return func(tx *db.Tx) (Role, error) {
			if _, err := callerNow(ctx, tx, by); err != nil {
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

// findRole reads one live role.
func findRole(ctx context.Context, q db.Querier, id int64) (Role, bool, error) {
	var rows []roleRow
	err := q.G(ctx).Raw("SELECT "+roleColumns+" FROM role r WHERE r.id = ? AND r.deleted = 0", id).Scan(&rows).Error
	if err != nil {
		return Role{}, false, fmt.Errorf("read role %d: %w", id, err)
	}
	if len(rows) == 0 {
		return Role{}, false, nil
	}
	return rows[0].role(), true, nil
}

func listRoles(ctx context.Context, q db.Querier, name string, w page.Query) (page.List[Role], error) {
	rows, err := listing.Fetch[roleRow](ctx, q, listing.Of("role", roleColumns).Contains("name", name), w)
	return page.Map(rows, roleRow.role), err
}

// allRoles returns all live roles, the oldest first.
func allRoles(ctx context.Context, q db.Querier) ([]Role, error) {
	var rows []roleRow
	err := q.G(ctx).Raw("SELECT " + roleColumns + " FROM role r WHERE r.deleted = 0 ORDER BY r.add_time, r.id").
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read all roles: %w", err)
	}
	roles := make([]Role, len(rows))
	for i, r := range rows {
		roles[i] = r.role()
	}
	return roles, nil
}

// insertRole fails with errno.RoleNameExists.
func insertRole(ctx context.Context, tx *db.Tx, r Role, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO role (name, description, enabled, add_time, update_time, deleted, "+
		"del_mark, version) VALUES (?, ?, ?, ?, ?, 0, 0, 0)", r.Name, r.Description, r.Enabled, at, at)
	if db.Duplicate(err, "uk_role_name") {
		return 0, fmt.Errorf("insert role %s: %w", r.Name, errno.RoleNameExists)
	}
	if err != nil {
		return 0, fmt.Errorf("insert role %s: %w", r.Name, err)
	}
	return id, nil
}

// UpdateRole changes a role on behalf of an operator. It fails with errno.UpdateFailed for an unknown one,
// errno.RoleNameExists, errno.RoleSuperProtected for a role that grants everything where it is to be disabled or where
// the caller does not hold it all, and errno.NoPermission for a role that grants what the caller does not hold.
func (s *Service) UpdateRole(ctx context.Context, by, id int64, change RoleChange) (Role, error) {
	var after Role
	err := s.change(ctx, func(tx *db.Tx) error {
		before, granted, found, err := roleFor(ctx, tx, by, id)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("update role %d: %w", id, errno.UpdateFailed)
		}
		after = change.on(before)
		if before.Enabled && !after.Enabled && slices.Contains(granted, Super) {
			return fmt.Errorf("disable role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperStays))
		}
		after.UpdateTime = s.now()
		if err := setRole(ctx, tx, after, after.UpdateTime); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: before.recorded(), After: after.recorded(), Result: after.Name,
		})
	})
	return after, err
}

func (change RoleChange) on(r Role) Role {
	if change.Name != nil {
		r.Name = *change.Name
	}
	if change.Description != nil {
		r.Description = *change.Description
	}
	if change.Enabled != nil {
		r.Enabled = *change.Enabled
	}
	return r
}

// roleFor reads a role that the caller is about to change as a whole, with what it grants. It fails with
// errno.RoleSuperProtected and errno.NoPermission where they may not.
func roleFor(ctx context.Context, tx *db.Tx, by, id int64) (r Role, granted []string, found bool, err error) {
	c, err := callerNow(ctx, tx, by)
	if err != nil {
		return r, nil, false, err
	}
	if r, found, err = findRole(ctx, tx, id); err != nil || !found {
		return r, nil, found, err
	}
	all, err := grantedBy(ctx, tx, id)
	if err != nil {
		return r, nil, true, err
	}
	return r, all[id], true, c.mayTouch(id, all[id])
}

// setRole writes what may be changed of a role. It fails with errno.RoleNameExists.
func setRole(ctx context.Context, tx *db.Tx, r Role, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE role SET name = ?, description = ?, enabled = ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND deleted = 0", r.Name, r.Description, r.Enabled, at, r.ID)
	if db.Duplicate(res.Error, "uk_role_name") {
		return fmt.Errorf("rename role %d: %w", r.ID, errno.RoleNameExists)
	}
	return changeRole(res.RowsAffected, r.ID, res.Error)
}

func changeRole(changed, id int64, err error) error {
	if err != nil {
		return fmt.Errorf("change role %d: %w", id, err)
	}
	if changed != 1 {
		return fmt.Errorf("change role %d: %w", id, errno.Stale)
	}
	return nil
}

// DeleteRole deletes a role with all that it grants, on behalf of an operator; one that is not there is none to delete.
// It fails with errno.RoleSuperProtected for a role that grants everything, errno.NoPermission for one that grants what
// the caller does not hold, and errno.RoleInUse while a live operator holds it.
func (s *Service) DeleteRole(ctx context.Context, by, id int64) error {
	return s.change(ctx, func(tx *db.Tx) error {
		r, granted, found, err := roleFor(ctx, tx, by, id)
		if err != nil {
			return err
		}
		if !found {
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		if slices.Contains(granted, Super) {
			return fmt.Errorf("delete role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperStays))
		}
		held, err := assigned(ctx, tx, id)
		if err != nil {
			return err
		}
		if held {
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

// deleteRole marks a role and all that it grants deleted.
func deleteRole(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE role SET deleted = 1, del_mark = id, version = version + 1, update_time = ? "+
		"WHERE id = ? AND deleted = 0", at, id)
	if err := changeRole(res.RowsAffected, id, res.Error); err != nil {
		return err
	}
	err := tx.G(ctx).Exec("UPDATE permission SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE role_id = ? AND deleted = 0", at, id).Error
	if err != nil {
		return fmt.Errorf("delete what role %d grants: %w", id, err)
	}
	return nil
}

// assigned reports whether a live operator holds the role.
func assigned(ctx context.Context, q db.Querier, role int64) (bool, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT a.id FROM admin_role h JOIN admin a ON a.id = h.admin_id "+
		"WHERE h.role_id = ? AND a.deleted = 0 LIMIT 1", role).Scan(&ids).Error
	if err != nil {
		return false, fmt.Errorf("look for holders of role %d: %w", role, err)
	}
	return len(ids) > 0, nil
}

// SetGranted makes a role grant these values and no others, on behalf of an operator. That the values exist is for the
// caller to know. It fails with errno.Invalid for an unknown role, errno.RoleSuperProtected for a role that grants
// everything and for the wish to make one, and errno.NoPermission where a value is given or taken that the caller does
// not hold.
func (s *Service) SetGranted(ctx context.Context, by, id int64, values []string) error {
	wanted := slices.Compact(slices.Sorted(slices.Values(values)))
	return s.change(ctx, func(tx *db.Tx) error {
		c, err := callerNow(ctx, tx, by)
		if err != nil {
			return err
		}
		r, found, err := findRole(ctx, tx, id)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("grant to role %d: %w", id, errno.NoSuch("roleId"))
		}
		granted, err := grantedBy(ctx, tx, id)
		if err != nil {
			return err
		}
		added, removed := beyond(wanted, granted[id]), beyond(granted[id], wanted)
		switch {
		case slices.Contains(granted[id], Super), slices.Contains(wanted, Super):
			return fmt.Errorf("grant to role %d: %w", id, errno.RoleSuperProtected.Because(text.RoleSuperGrant))
		case !c.holds(added...) || !c.holds(removed...):
			return fmt.Errorf("operator %d, role %d: %w", by, id, errno.NoPermission.Because(text.GrantBeyond))
		}
		at := s.now()
		if err := deleteValues(ctx, tx, id, removed, at); err != nil {
			return err
		}
		if err := insertValues(ctx, tx, id, added, at); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Result: r.Name, Comment: fmt.Sprintf("增加 %d 项，移除 %d 项", len(added), len(removed)),
			Before: map[string]any{"permissions": granted[id]}, After: map[string]any{"permissions": append([]string{},
				wanted...)},
		})
	})
}

// beyond returns the texts that the other list does not have.
func beyond(list, other []string) []string {
	var out []string
	for _, v := range list {
		if !slices.Contains(other, v) {
			out = append(out, v)
		}
	}
	return out
}

// insertValues lets a role grant values that it does not grant yet.
func insertValues(ctx context.Context, tx *db.Tx, role int64, values []string, at time.Time) error {
	if len(values) == 0 {
		return nil
	}
	args := make([]any, 0, 4*len(values))
	for _, v := range values {
		args = append(args, role, v, at, at)
	}
	err := tx.G(ctx).Exec("INSERT INTO permission (role_id, permission, add_time, update_time, deleted, del_mark) VALUES "+
		rowsOf(len(values), "(?, ?, ?, ?, 0, 0)"), args...).Error
	if err != nil {
		return fmt.Errorf("let role %d grant %d values: %w", role, len(values), err)
	}
	return nil
}

// deleteValues takes values away from a role.
func deleteValues(ctx context.Context, tx *db.Tx, role int64, values []string, at time.Time) error {
	if len(values) == 0 {
		return nil
	}
	err := tx.G(ctx).Exec("UPDATE permission SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE role_id = ? AND permission IN ? AND deleted = 0", at, role, values).Error
	if err != nil {
		return fmt.Errorf("take %d values from role %d: %w", len(values), role, err)
	}
	return nil
}

// rowsOf is n rows of an INSERT.
func rowsOf(n int, row string) string { return strings.TrimSuffix(strings.Repeat(row+", ", n), ", ") }
