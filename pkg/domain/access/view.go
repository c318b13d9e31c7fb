package access

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// RoleHeld is a role of an operator with the permission values that it grants, or would if it were enabled.
type RoleHeld struct {
	ID      int64
	Name    string
	Enabled bool
	Values  []string
}

// roleValue is a row of a role with one of its values; nil if it has none.
type roleValue struct {
	ID         int64
	Name       string
	Enabled    bool
	Permission *string
}

// RolesHeld returns the live roles of an operator in the order in which they were assigned, disabled ones included.
func (s *Service) RolesHeld(ctx context.Context, operator int64) ([]RoleHeld, error) {
	var rows []roleValue
	err := table.Scan(ctx, s.db, &rows, `SELECT r.id, r.name, r.enabled, p.permission
		FROM admin_role h
		JOIN role r ON r.id = h.role_id
		LEFT JOIN permission p ON p.role_id = r.id AND p.deleted = 0
		WHERE h.admin_id = ? AND r.deleted = 0
		ORDER BY h.position, r.id, p.permission`, operator)
	if err != nil {
		return nil, fmt.Errorf("read the roles of operator %d with their permissions: %w", operator, err)
	}
	var held []RoleHeld
	for _, r := range rows {
		if len(held) == 0 || held[len(held)-1].ID != r.ID {
			held = append(held, RoleHeld{ID: r.ID, Name: r.Name, Enabled: r.Enabled, Values: nil})
		}
		if r.Permission != nil {
			last := &held[len(held)-1]
			last.Values = append(last.Values, *r.Permission)
		}
	}
	return held, nil
}

// View records that an operator begins to look at the console as a role sees it. It fails with errno.Invalid for an
// unknown role.
func (s *Service) View(ctx context.Context, role int64) (Role, error) {
	var viewed Role
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if viewed, err = edit.Find(ctx, tx, roles, text.FieldRole, role); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: role, Result: viewed.Name})
	})
	return viewed, err
}

// AuthorityAs is AuthorityOf for an operator who looks at the console as a role sees it: the values that both the
// operator has and the role grants. A disabled role grants none. It fails with errno.NoPermission for an operator
// without the permission to do so, and with errno.Invalid for an unknown role.
func (s *Service) AuthorityAs(ctx context.Context, operator, role int64, permission string) (Authority, error) {
	own, err := valuesOf(ctx, s.db, operator)
	if err != nil {
		return Authority{}, err
	}
	if c := (caller{operator, own}); !c.holds(permission) {
		return Authority{}, fmt.Errorf("operator %d lacks %s: %w", operator, permission, errno.NoPermission)
	}
	var rows []roleValue
	err = table.Scan(ctx, s.db, &rows, `SELECT r.id, r.name, r.enabled, p.permission
		FROM role r
		LEFT JOIN permission p ON p.role_id = r.id AND p.deleted = 0 AND r.enabled = 1
		WHERE r.id = ? AND r.deleted = 0
		ORDER BY p.permission`, role)
	switch {
	case err != nil:
		return Authority{}, fmt.Errorf("read what role %d grants: %w", role, err)
	case len(rows) == 0:
		return Authority{}, fmt.Errorf("find role %d: %w", role, errno.NoSuch(text.FieldRole))
	}
	granted := []string{}
	for _, r := range rows {
		if r.Permission != nil {
			granted = append(granted, *r.Permission)
		}
	}
	return Authority{Roles: []string{rows[0].Name}, Values: both(own, granted)}, nil
}

// both returns the values that are in both sets, each of which may have all.
func both(a, b []string) []string {
	if slices.Contains(a, Super) {
		return b
	}
	if slices.Contains(b, Super) {
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(v string) bool { return !slices.Contains(b, v) })
}
