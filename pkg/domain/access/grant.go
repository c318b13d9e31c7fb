package access

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Authority is the names of an operator's effective roles and the union of their permission values.
type Authority struct {
	Roles, Values []string
}

// Grants are all role assignments and permissions, for decisions in memory.
type Grants struct {
	Assignments []RoleAssignment
	Values      []Grant
}

// Equal reports whether two sets of grants are the same; both are sorted.
func (g Grants) Equal(other Grants) bool {
	return slices.Equal(g.Assignments, other.Assignments) && slices.Equal(g.Values, other.Values)
}

// RoleAssignment assigns a role to an operator.
type RoleAssignment struct {
	Operator int64 `gorm:"column:admin_id"`
	Role     int64 `gorm:"column:role_id"`
}

// assignmentRow is a role assignment with its position among those of the operator.
type assignmentRow struct {
	RoleAssignment

	Position int
	AddTime  time.Time
}

// Grant says that a role gives a permission value.
type Grant struct {
	Role  int64  `gorm:"column:role_id"`
	Value string `gorm:"column:permission"`
}

type grantRow struct {
	Grant

	ID                  int64
	AddTime, UpdateTime time.Time
}

var (
	assignments = table.Of[assignmentRow]("admin_role",
		table.Refers("admin_id", "admin"),
		table.Refers("role_id", "role"),
	)
	roleAssignments = table.Part[RoleAssignment](assignments)
	permissions     = table.Of[grantRow]("permission", table.Marked,
		table.Refers("role_id", "role"),
	)
	grants = table.Part[Grant](permissions)
)

// AuthorityOf returns an operator's current roles and permissions, read from MySQL.
func (s *Service) AuthorityOf(ctx context.Context, operator int64) (Authority, error) {
	names, err := roleNames(ctx, s.db, operator)
	if err != nil {
		return Authority{}, err
	}
	values, err := valuesOf(ctx, s.db, operator)
	return Authority{Roles: names, Values: values}, err
}

// Grants returns all effective grants: only usable operators and enabled roles, and none that are deleted.
func (s *Service) Grants(ctx context.Context) (Grants, error) {
	held, err := roleAssignments.From(ctx, s.db, `admin_role r
		JOIN admin a ON a.id = r.admin_id
		JOIN role o ON o.id = r.role_id
		WHERE a.deleted = 0 AND a.status = ? AND o.deleted = 0 AND o.enabled = 1
		ORDER BY r.admin_id, r.role_id`, usable)
	if err != nil {
		return Grants{}, err
	}
	values, err := grants.From(ctx, s.db, `permission r
		JOIN role o ON o.id = r.role_id
		WHERE r.deleted = 0 AND o.deleted = 0 AND o.enabled = 1
		ORDER BY r.role_id, r.permission`)
	return Grants{Assignments: held, Values: values}, err
}

// RoleChoice is a set of roles in a request. The contract has two members for it; a client changes the one that it
// knows and sends the other back unchanged, so the one that differs from what is stored counts.
type RoleChoice struct{ First, Second *[]int64 }

// from returns the chosen roles without duplicates, or the stored ones if nothing was chosen. It fails with
// errno.Invalid for two choices that both differ from what is stored and from each other.
func (c RoleChoice) from(stored []int64) ([]int64, error) {
	switch {
	case c.First == nil && c.Second == nil:
		return stored, nil
	case c.Second == nil:
		return distinct(*c.First), nil
	case c.First == nil, same(*c.First, *c.Second), same(*c.First, stored):
		return distinct(*c.Second), nil
	case same(*c.Second, stored):
		return distinct(*c.First), nil
	}
	return nil, errno.Invalid.Because(text.RolesDiffer)
}

// distinct removes duplicates and keeps the order.
func distinct(ids []int64) []int64 {
	var out []int64
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// same compares two sets.
func same(a, b []int64) bool {
	a, b = slices.Sorted(slices.Values(distinct(a))), slices.Sorted(slices.Values(distinct(b)))
	return slices.Equal(a, b)
}

// liveRoles returns the roles of a choice. It fails with errno.Invalid if a requested role does not exist.
func liveRoles(ctx context.Context, tx *db.Tx, choice RoleChoice, stored []int64) ([]int64, error) {
	roles, err := choice.from(stored)
	if err != nil {
		return nil, err
	}
	live, err := grantedBy(ctx, tx, roles...)
	if err != nil {
		return nil, err
	}
	if len(live) != len(roles) {
		return nil, fmt.Errorf("not all of %d roles are live: %w", len(roles), errno.NoSuch(text.FieldRoles))
	}
	return roles, nil
}

// rolesOf returns the ids of the live roles of each operator, in the order in which they were assigned.
func rolesOf(ctx context.Context, q db.Querier, operators ...int64) (map[int64][]int64, error) {
	if len(operators) == 0 {
		return nil, nil
	}
	rows, err := roleAssignments.From(ctx, q, `admin_role r
		JOIN role o ON o.id = r.role_id
		WHERE r.admin_id IN ? AND o.deleted = 0
		ORDER BY r.admin_id, r.position, r.role_id`, operators)
	if err != nil {
		return nil, err
	}
	held := make(map[int64][]int64, len(operators))
	for _, r := range rows {
		held[r.Operator] = append(held[r.Operator], r.Role)
	}
	return held, nil
}

func roleNames(ctx context.Context, q db.Querier, operator int64) ([]string, error) {
	var names []string
	err := table.Scan(ctx, q, &names, `SELECT r.name
		FROM admin_role h
		JOIN role r ON r.id = h.role_id
		WHERE h.admin_id = ? AND r.enabled = 1 AND r.deleted = 0
		ORDER BY h.position, r.id`, operator)
	if err != nil {
		return nil, fmt.Errorf("read the role names of operator %d: %w", operator, err)
	}
	return names, nil
}

func valuesOf(ctx context.Context, q db.Querier, operator int64) ([]string, error) {
	var values []string
	err := table.Scan(ctx, q, &values, `SELECT DISTINCT p.permission
		FROM admin_role h
		JOIN role r ON r.id = h.role_id
		JOIN permission p ON p.role_id = r.id AND p.deleted = 0
		WHERE h.admin_id = ? AND r.enabled = 1 AND r.deleted = 0
		ORDER BY p.permission`, operator)
	if err != nil {
		return nil, fmt.Errorf("read the permissions of operator %d: %w", operator, err)
	}
	return values, nil
}

// grantedBy returns the permissions that each role grants, or would if it were enabled; roles that do not exist are
// left out.
func grantedBy(ctx context.Context, q db.Querier, roles ...int64) (map[int64][]string, error) {
	var rows []struct {
		ID         int64
		Permission *string
	}
	if len(roles) == 0 {
		return nil, nil
	}
	err := table.Scan(ctx, q, &rows, `SELECT r.id, p.permission
		FROM role r
		LEFT JOIN permission p ON p.role_id = r.id AND p.deleted = 0
		WHERE r.id IN ? AND r.deleted = 0
		ORDER BY r.id, p.permission`, roles)
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

// superOperators returns the usable operators with an enabled role that grants everything.
func superOperators(ctx context.Context, tx *db.Tx) ([]int64, error) {
	var ids []int64
	err := table.Scan(ctx, tx, &ids, `SELECT DISTINCT a.id
		FROM permission p
		JOIN role r ON r.id = p.role_id
		JOIN admin_role h ON h.role_id = r.id
		JOIN admin a ON a.id = h.admin_id
		WHERE p.permission = ? AND p.deleted = 0 AND r.enabled = 1 AND r.deleted = 0 AND a.status = ? AND a.deleted = 0
		ORDER BY a.id`, Super, usable)
	if err != nil {
		return nil, fmt.Errorf("find the super operators: %w", err)
	}
	return ids, nil
}

// setAssignments replaces the roles of an operator, in this order.
func setAssignments(ctx context.Context, tx *db.Tx, operator int64, roles []int64, at time.Time) error {
	_, err := assignments.Delete(ctx, tx, "admin_id = ? AND role_id NOT IN ?", operator, append([]int64{0}, roles...))
	if err != nil {
		return err
	}
	rows := make([]assignmentRow, len(roles))
	for i, role := range roles {
		rows[i] = assignmentRow{RoleAssignment{operator, role}, i, at}
	}
	return assignments.UpsertAll(ctx, tx, rows, "position = VALUES(position)")
}

// insertGrants adds permissions to a role.
func insertGrants(ctx context.Context, tx *db.Tx, role int64, values []string, at time.Time) error {
	rows := make([]grantRow, len(values))
	for i, v := range values {
		rows[i] = grantRow{Grant: Grant{role, v}, AddTime: at, UpdateTime: at}
	}
	return permissions.InsertAll(ctx, tx, rows)
}

// deleteGrants removes permissions from a role.
func deleteGrants(ctx context.Context, tx *db.Tx, role int64, values []string, at time.Time) error {
	if len(values) == 0 {
		return nil
	}
	_, err := permissions.Remove(ctx, tx, table.Set{"update_time": at}, "role_id = ? AND permission IN ?", role, values)
	return err
}

// GrantPath is a way in which an operator gets a permission: the operator has the role, and the role grants the
// permission or all of them.
type GrantPath struct {
	OperatorID int64
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

// Effective reports whether the path grants the permission: nothing on it is locked, disabled or deleted.
func (t GrantPath) Effective() bool { return !t.Locked && !t.Disabled && !t.RoleDeleted }

// GrantPathsOf returns the paths of an operator to a permission, including ineffective ones, in the order in which the
// roles were assigned, and whether the operator has the permission. It fails with errno.Invalid for an unknown
// operator.
func (s *Service) GrantPathsOf(ctx context.Context, username, value string) (paths []GrantPath, may bool, err error) {
	o, err := s.FindByName(ctx, username)
	if err != nil {
		return nil, false, err
	}
	if paths, err = grantPaths(ctx, s.db, value, "AND a.id = ? ORDER BY h.position, r.id", o.ID); err != nil {
		return nil, false, fmt.Errorf("explain operator %s: %w", username, err)
	}
	return paths, slices.ContainsFunc(paths, GrantPath.Effective), nil
}

// GrantPaths returns the paths of all operators to a permission, including ineffective ones, by login name.
func (s *Service) GrantPaths(ctx context.Context, value string) ([]GrantPath, error) {
	paths, err := grantPaths(ctx, s.db, value, "ORDER BY a.username_key, h.position, r.id")
	if err != nil {
		return nil, fmt.Errorf("find holders: %w", err)
	}
	return paths, nil
}

// grantPaths returns the paths of live operators to a permission. A role that grants it both by name and by everything
// is one path.
func grantPaths(ctx context.Context, q db.Querier, value, rest string, args ...any) ([]GrantPath, error) {
	var paths []GrantPath
	err := table.Scan(ctx, q, &paths, `SELECT a.id AS operator_id, a.username AS operator,
			a.status AS locked, r.id AS role_id, r.name AS role,
			r.enabled = 0 AS disabled, r.deleted AS role_deleted,
			EXISTS (SELECT 1 FROM permission p WHERE p.role_id = r.id AND p.deleted = 0 AND p.permission = ?) AS super
		FROM admin_role h
		JOIN admin a ON a.id = h.admin_id
		JOIN role r ON r.id = h.role_id
		WHERE a.deleted = 0 AND EXISTS (
			SELECT 1 FROM permission p WHERE p.role_id = r.id AND p.deleted = 0 AND p.permission IN ?)
		`+rest, append([]any{Super, []string{value, Super}}, args...)...)
	return paths, err
}
