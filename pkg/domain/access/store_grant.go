package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// rolesOf returns the ids of the live roles of each operator, in the order they were given.
func rolesOf(ctx context.Context, q db.Querier, operators ...int64) (map[int64][]int64, error) {
	var rows []struct{ AdminID, RoleID int64 }
	if len(operators) == 0 {
		return nil, nil
	}
	err := q.G(ctx).Raw("SELECT h.admin_id, h.role_id FROM admin_role h JOIN role r ON r.id = h.role_id "+
		"WHERE h.admin_id IN ? AND r.deleted = 0 ORDER BY h.admin_id, h.position, h.role_id", operators).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the roles of %d operators: %w", len(operators), err)
	}
	held := make(map[int64][]int64, len(operators))
	for _, r := range rows {
		held[r.AdminID] = append(held[r.AdminID], r.RoleID)
	}
	return held, nil
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

// grantedBy returns what each of the roles grants, or would grant if it were enabled; a role that is not live is not
// among them.
func grantedBy(ctx context.Context, q db.Querier, roles ...int64) (map[int64][]string, error) {
	var rows []struct {
		ID         int64
		Permission *string
	}
	if len(roles) == 0 {
		return nil, nil
	}
	err := q.G(ctx).Raw("SELECT r.id, p.permission FROM role r "+
		"LEFT JOIN permission p ON p.role_id = r.id AND p.deleted = 0 "+
		"WHERE r.id IN ? AND r.deleted = 0 ORDER BY r.id, p.permission", roles).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what %d roles grant: %w", len(roles), err)
	}
	granted := make(map[int64][]string, len(roles))
	for _, r := range rows {
		if r.Permission == nil {
			granted[r.ID] = []string{}
			continue
		}
		granted[r.ID] = append(granted[r.ID], *r.Permission)
	}
	return granted, nil
}

func allHoldings(ctx context.Context, q db.Querier) ([]Holding, error) {
	var rows []struct{ AdminID, RoleID int64 }
	err := q.G(ctx).Raw("SELECT h.admin_id, h.role_id FROM admin_role h " +
		"JOIN admin a ON a.id = h.admin_id JOIN role r ON r.id = h.role_id " +
		"WHERE a.deleted = 0 AND a.status = 0 AND r.deleted = 0 AND r.enabled = 1 " +
		"ORDER BY h.admin_id, h.role_id").Scan(&rows).Error
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
		"WHERE p.deleted = 0 AND r.deleted = 0 AND r.enabled = 1 ORDER BY p.role_id, p.permission").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what the roles grant: %w", err)
	}
	grants := make([]Grant, len(rows))
	for i, r := range rows {
		grants[i] = Grant{Role: r.RoleID, Value: r.Permission}
	}
	return grants, nil
}

// superOperators returns the usable operators with an enabled role that grants everything.
func superOperators(ctx context.Context, tx *db.Tx) ([]int64, error) {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT DISTINCT a.id FROM permission p JOIN role r ON r.id = p.role_id "+
		"JOIN admin_role h ON h.role_id = r.id JOIN admin a ON a.id = h.admin_id "+
		"WHERE p.permission = ? AND p.deleted = 0 AND r.enabled = 1 AND r.deleted = 0 AND a.status = 0 AND a.deleted = 0 "+
		"ORDER BY a.id", Super).Scan(&ids).Error
	if err != nil {
		return nil, fmt.Errorf("look for the super operators: %w", err)
	}
	return ids, nil
}

// setHoldings makes the roles of an operator these and no others, in this order.
func setHoldings(ctx context.Context, tx *db.Tx, operator int64, roles []int64, at time.Time) error {
	gone := tx.G(ctx).Exec("DELETE FROM admin_role WHERE admin_id = ? AND role_id NOT IN ?", operator, append([]int64{0},
		roles...))
	if gone.Error != nil {
		return fmt.Errorf("take roles from operator %d: %w", operator, gone.Error)
	}
	if len(roles) == 0 {
		return nil
	}
	args := make([]any, 0, 4*len(roles))
	for i, role := range roles {
		args = append(args, operator, role, i, at)
	}
	err := tx.G(ctx).Exec("INSERT INTO admin_role (admin_id, role_id, position, add_time) VALUES "+
		rowsOf(len(roles), "(?, ?, ?, ?)")+" ON DUPLICATE KEY UPDATE position = VALUES(position)", args...).Error
	if err != nil {
		return fmt.Errorf("give %d roles to operator %d: %w", len(roles), operator, err)
	}
	return nil
}
