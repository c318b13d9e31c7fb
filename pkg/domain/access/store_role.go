package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// rolesOf returns the ids of the roles an operator holds, dead ones included, in the order they were given.
func rolesOf(ctx context.Context, q db.Querier, operator int64) ([]int64, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT role_id FROM admin_role WHERE admin_id = ? ORDER BY position, role_id", operator).
		Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("read the roles of operator %d: %w", operator, err)
	}
	return ids, nil
}

func roleNames(ctx context.Context, q db.Querier, operator int64) ([]string, error) {
	var names []string
	err := q.G(ctx).Raw("SELECT r.name FROM admin_role h JOIN role r ON r.id = h.role_id "+
		"WHERE h.admin_id = ? AND r.enabled = 1 AND r.deleted = 0 ORDER BY h.position, r.id", operator).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("read the role names of operator %d: %w", operator, err)
	}
	return names, nil
}

func valuesOf(ctx context.Context, q db.Querier, operator int64) ([]string, error) {
	var values []string
	err := q.G(ctx).Raw("SELECT DISTINCT p.permission FROM admin_role h JOIN role r ON r.id = h.role_id "+
		"JOIN permission p ON p.role_id = r.id AND p.deleted = 0 "+
		"WHERE h.admin_id = ? AND r.enabled = 1 AND r.deleted = 0 ORDER BY p.permission", operator).Scan(&values).Error
	if err != nil {
		return nil, fmt.Errorf("read the permissions of operator %d: %w", operator, err)
	}
	return values, nil
}

func allHoldings(ctx context.Context, q db.Querier) ([]Holding, error) {
	var rows []struct{ AdminID, RoleID int64 }
	err := q.G(ctx).Raw("SELECT h.admin_id, h.role_id FROM admin_role h " +
		"JOIN admin a ON a.id = h.admin_id JOIN role r ON r.id = h.role_id " +
		"WHERE a.deleted = 0 AND a.status = 0 AND r.deleted = 0 AND r.enabled = 1").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read who holds which role: %w", err)
	}
	holdings := make([]Holding, len(rows))
	for i, r := range rows {
		holdings[i] = Holding{Operator: r.AdminID, Role: r.RoleID}
	}
	return holdings, nil
}

func allValues(ctx context.Context, q db.Querier) ([]Grant, error) {
	var rows []struct {
		RoleID     int64
		Permission string
	}
	err := q.G(ctx).Raw("SELECT p.role_id, p.permission FROM permission p JOIN role r ON r.id = p.role_id " +
		"WHERE p.deleted = 0 AND r.deleted = 0 AND r.enabled = 1").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what the roles grant: %w", err)
	}
	grants := make([]Grant, len(rows))
	for i, r := range rows {
		grants[i] = Grant{Role: r.RoleID, Value: r.Permission}
	}
	return grants, nil
}

// lockSupers locks and returns the usable operators with an enabled role that grants everything.
func lockSupers(ctx context.Context, tx *db.Tx) ([]int64, error) {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT DISTINCT a.id FROM permission p JOIN role r ON r.id = p.role_id "+
		"JOIN admin_role h ON h.role_id = r.id JOIN admin a ON a.id = h.admin_id "+
		"WHERE p.permission = ? AND p.deleted = 0 AND r.enabled = 1 AND r.deleted = 0 AND a.status = 0 AND a.deleted = 0 "+
		"ORDER BY a.id FOR UPDATE", Super).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("lock the super operators: %w", err)
	}
	return ids, nil
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
	err = tx.G(ctx).Exec("INSERT INTO role (name, description, enabled, add_time, update_time, deleted, del_mark, "+
		"version) VALUES (?, '', 1, ?, ?, 0, 0, 0)", name, at, at).Error
	if db.Duplicate(err, "uk_role_name") {
		return 0, fmt.Errorf("insert role %s: %w", name, errno.Stale)
	}
	if err != nil {
		return 0, fmt.Errorf("insert role %s: %w", name, err)
	}
	id, err := lastID(ctx, tx)
	if err != nil {
		return 0, err
	}
	return id, insertValues(ctx, tx, id, values, at)
}

func insertValues(ctx context.Context, tx *db.Tx, role int64, values []string, at time.Time) error {
	for _, v := range values {
		err := tx.G(ctx).Exec("INSERT INTO permission (role_id, permission, add_time, update_time, deleted, del_mark) "+
			"VALUES (?, ?, ?, ?, 0, 0)", role, v, at, at).Error
		if err != nil {
			return fmt.Errorf("grant %s to role %d: %w", v, role, err)
		}
	}
	return nil
}

func insertHolding(ctx context.Context, tx *db.Tx, operator, role int64, at time.Time) error {
	err := tx.G(ctx).Exec("INSERT INTO admin_role (admin_id, role_id, position, add_time) VALUES (?, ?, 0, ?)",
		operator, role, at).Error
	if err != nil {
		return fmt.Errorf("give role %d to operator %d: %w", role, operator, err)
	}
	return nil
}
