package access

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/db"
)

// Tie is a role between an operator and a permission: the operator holds the role, and the role names the permission
// or all of them. It counts only where nothing stands against it.
type Tie struct {
	// Operator is the login name.
	Operator string
	Locked   bool
	// Role is the name of the role.
	RoleID      int64
	Role        string
	Disabled    bool
	RoleDeleted bool
	// Super says that the role grants everything; otherwise it names the value.
	Super bool
}

// Counts reports whether the operator may use the permission by this role.
func (t Tie) Counts() bool { return !t.Locked && !t.Disabled && !t.RoleDeleted }

// Why returns what ties an operator to a permission value, what does not count included, in the order in which the
// roles were given, and whether anything of it counts. It fails with errno.Invalid for an unknown operator.
func (s *Service) Why(ctx context.Context, username, value string) (ties []Tie, may bool, err error) {
	o, err := s.FindByName(ctx, username)
	if err != nil {
		return nil, false, err
	}
	if ties, err = tiesTo(ctx, s.db, value, "AND a.id = ? ORDER BY h.position, r.id", o.ID); err != nil {
		return nil, false, fmt.Errorf("explain operator %s: %w", username, err)
	}
	return ties, slices.ContainsFunc(ties, Tie.Counts), nil
}

// Who returns what ties operators to a permission value, what does not count included, by login name.
func (s *Service) Who(ctx context.Context, value string) ([]Tie, error) {
	ties, err := tiesTo(ctx, s.db, value, "ORDER BY a.username_key, h.position, r.id")
	if err != nil {
		return nil, fmt.Errorf("look for holders: %w", err)
	}
	return ties, nil
}

// tiesTo reads the ties of live operators to a value. A role that names both the value and everything is one tie.
func tiesTo(ctx context.Context, q db.Querier, value, rest string, args ...any) ([]Tie, error) {
	var ties []Tie
	err := q.G(ctx).Raw("SELECT a.username AS operator, a.status <> 0 AS locked, r.id AS role_id, r.name AS role, "+
		"r.enabled = 0 AS disabled, r.deleted AS role_deleted, "+
		"EXISTS (SELECT 1 FROM permission p WHERE p.role_id = r.id AND p.deleted = 0 AND p.permission = ?) AS super "+
		"FROM admin_role h JOIN admin a ON a.id = h.admin_id JOIN role r ON r.id = h.role_id "+
		"WHERE a.deleted = 0 AND EXISTS (SELECT 1 FROM permission p WHERE p.role_id = r.id AND p.deleted = 0 "+
		"AND p.permission IN ?) "+rest, append([]any{Super, []string{value, Super}}, args...)...).Scan(&ties).Error
	return ties, err
}
