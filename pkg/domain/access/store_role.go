package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

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

// lockGrants makes the transaction wait until no other one changes operators, roles or grants, and makes the next one
// wait for this. The row that they queue for is the oldest role: rows are never removed, so it stays the same one.
// Every statement after it sees what those before have committed. It is written to and not only locked: a cluster with
// several primaries replicates writes alone, so two changes on two of them would not meet in a lock, and each could
// take the last rights from the other's operator. As writes of one row they conflict, and one of them runs again.
func lockGrants(ctx context.Context, tx *db.Tx) error {
	if err := tx.G(ctx).Exec("UPDATE role SET version = version + 1 ORDER BY id LIMIT 1").Error; err != nil {
		return fmt.Errorf("wait for other changes of the grants: %w", err)
	}
	return nil
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

// setRole writes what may be changed of a role. It fails with errno.RoleNameExists.
func setRole(ctx context.Context, tx *db.Tx, r Role, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE role SET name = ?, description = ?, enabled = ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND deleted = 0", r.Name, r.Description, r.Enabled, at, r.ID)
	if db.Duplicate(res.Error, "uk_role_name") {
		return fmt.Errorf("rename role %d: %w", r.ID, errno.RoleNameExists)
	}
	return changeRole(res.RowsAffected, r.ID, res.Error)
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

func changeRole(changed, id int64, err error) error {
	if err != nil {
		return fmt.Errorf("change role %d: %w", id, err)
	}
	if changed != 1 {
		return fmt.Errorf("change role %d: %w", id, errno.Stale)
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

// ensureRole returns the live role of a name, made with the values where there is none. A role of that name which is
// disabled fails with errno.RoleNameExists, since it would grant nothing.
func ensureRole(ctx context.Context, tx *db.Tx, name string, values []string, at time.Time) (int64, error) {
	var rows []struct {
		ID      int64
		Enabled bool
	}
	err := tx.G(ctx).Raw("SELECT id, enabled FROM role WHERE name = ? AND del_mark = 0 FOR UPDATE", name).Scan(&rows).Error
	switch {
	case err != nil:
		return 0, fmt.Errorf("look for role %s: %w", name, err)
	case len(rows) > 0 && !rows[0].Enabled:
		return 0, fmt.Errorf("role %s is disabled: %w", name, errno.RoleNameExists)
	case len(rows) > 0:
		return rows[0].ID, nil
	}
	id, err := insertRole(ctx, tx, Role{Name: name, Enabled: true}, at)
	if errors.Is(err, errno.RoleNameExists) {
		return 0, fmt.Errorf("role %s was made just now: %w", name, errno.Stale)
	}
	if err != nil {
		return 0, err
	}
	return id, insertValues(ctx, tx, id, values, at)
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
