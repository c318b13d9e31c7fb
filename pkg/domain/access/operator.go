package access

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// RoleChoice is a set of roles as somebody asks for it. There are two names for it, of which a client knows one and
// sends the other back as it was, so the one that differs from what is stored counts.
type RoleChoice struct{ First, Second *[]int64 }

// from returns the chosen roles, each once, and the stored ones where nothing was chosen. It fails with errno.Invalid
// for two choices that both differ from what is stored and from each other.
func (c RoleChoice) from(stored []int64) ([]int64, error) {
	switch {
	case c.First == nil && c.Second == nil:
		return stored, nil
	case c.Second == nil:
		return once(*c.First), nil
	case c.First == nil, same(*c.First, *c.Second), same(*c.First, stored):
		return once(*c.Second), nil
	case same(*c.Second, stored):
		return once(*c.First), nil
	}
	return nil, errno.Invalid.Because(text.RolesDiffer)
}

// once drops repetitions and keeps the order.
func once(ids []int64) []int64 {
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
	a, b = slices.Sorted(slices.Values(once(a))), slices.Sorted(slices.Values(once(b)))
	return slices.Equal(a, b)
}

// NewOperator is an operator to be made.
type NewOperator struct {
	Username, Password, Avatar string
	Roles                      RoleChoice
}

// OperatorChange is what is to become of an operator; nil members stay as they are.
type OperatorChange struct {
	Username, Avatar *string
	Roles            RoleChoice
	// Password is only held to its least length: consoles demand some text, and no password is changed by it.
	Password string
}

// recorded is what the record of a change says of an operator.
func (o Operator) recorded() any {
	return struct {
		Username string  `json:"username"`
		Avatar   string  `json:"avatar"`
		RoleIDs  []int64 `json:"roleIds"`
	}{o.Username, o.Avatar, append([]int64{}, o.Roles...)}
}

// Operators lists the live operators whose name contains a text. Sort is add_time or id.
func (s *Service) Operators(ctx context.Context, name string, q page.Query) (page.List[Operator], error) {
	found, err := listOperators(ctx, s.db, name, q)
	if err != nil {
		return found, err
	}
	ids := make([]int64, len(found.Items))
	for i, o := range found.Items {
		ids[i] = o.ID
	}
	held, err := rolesOf(ctx, s.db, ids...)
	for i := range found.Items {
		found.Items[i].Roles = held[found.Items[i].ID]
		found.Items[i] = s.shown(found.Items[i])
	}
	return found, err
}

// CreateOperator makes an operator on behalf of another one. It fails with errno.AdminInvalidName,
// errno.AdminInvalidPassword, errno.AdminNameExists, errno.Invalid for an unknown role, and errno.AdminAlterNotAllowed
// for a role that grants what the caller does not hold.
func (s *Service) CreateOperator(ctx context.Context, by int64, n NewOperator) (Operator, error) {
	n.Avatar = s.avatars.Stored(n.Avatar)
	return changeOnce(ctx, s, func() (func(tx *db.Tx) (Operator, error), error) {
		if err := checkName(n.Username); err != nil {
			return nil, fmt.Errorf("create operator: %w", err)
		}
		hash, err := s.hashed(n.Password)
		if err != nil {
			return nil, fmt.Errorf("create operator: %w", err)
		}
		return func(tx *db.Tx) (Operator, error) { return s.createOperator(ctx, tx, by, n, hash) }, nil
	})
}

func (s *Service) createOperator(
	ctx context.Context, tx *db.Tx, by int64, n NewOperator, hash string,
) (Operator, error) {
	at := s.now()
	c, err := callerNow(ctx, tx, by)
	if err != nil {
		return Operator{}, err
	}
	roles, err := liveRoles(ctx, tx, n.Roles, nil)
	if err != nil {
		return Operator{}, err
	}
	if err := c.mayHandOut(ctx, tx, nil, roles); err != nil {
		return Operator{}, err
	}
	id, err := insertOperator(ctx, tx, n.Username, hash, n.Avatar, at)
	if err != nil {
		return Operator{}, err
	}
	if err := setHoldings(ctx, tx, id, roles, at); err != nil {
		return Operator{}, err
	}
	o := Operator{ID: id, Username: n.Username, Avatar: n.Avatar, Roles: roles, AddTime: at, UpdateTime: at}
	if err := upload.Use(ctx, tx, n.Avatar); err != nil {
		return Operator{}, err
	}
	return s.shown(o), audit.Record(ctx, tx, audit.Change{ID: id, After: o.recorded(), Result: o.Username})
}

// liveRoles settles a choice of roles. It fails with errno.Invalid where one of those that were asked for is not live.
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
		return nil, fmt.Errorf("not all of %d roles are live: %w", len(roles), errno.NoSuch("roleIds"))
	}
	return roles, nil
}

// UpdateOperator changes an operator on behalf of another one or of themself. It fails with errno.UpdateFailed for an
// unknown one, errno.Invalid for an unknown role, errno.AdminInvalidName, errno.AdminInvalidPassword,
// errno.AdminNameExists, and with errno.AdminAlterNotAllowed for what the caller may not do to them and where nobody
// would be left who may do everything.
func (s *Service) UpdateOperator(ctx context.Context, by, id int64, change OperatorChange) (Operator, error) {
	var after Operator
	if change.Avatar != nil {
		stored := s.avatars.Stored(*change.Avatar)
		change.Avatar = &stored
	}
	err := s.change(ctx, func(tx *db.Tx) error {
		c, err := callerNow(ctx, tx, by)
		if err != nil {
			return err
		}
		row, found, err := findOperator(ctx, tx, "id = ?", id)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("update operator %d: %w", id, errno.UpdateFailed)
		}
		before, err := withRoles(ctx, tx, row.operator())
		if err != nil {
			return err
		}
		if after, err = change.on(ctx, tx, before); err != nil {
			return fmt.Errorf("update operator %d: %w", id, err)
		}
		after.UpdateTime = s.now()
		if err := c.rewrite(ctx, tx, before, after); err != nil {
			return err
		}
		if err := upload.Use(ctx, tx, after.Avatar); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: before.recorded(), After: after.recorded(), Result: after.Username,
		})
	})
	return s.shown(after), err
}

// on applies the change to what is stored, as far as it needs no right.
func (change OperatorChange) on(ctx context.Context, tx *db.Tx, o Operator) (Operator, error) {
	var err error
	if o.Roles, err = liveRoles(ctx, tx, change.Roles, o.Roles); err != nil {
		return o, err
	}
	if change.Avatar != nil {
		o.Avatar = *change.Avatar
	}
	if change.Username != nil && *change.Username != o.Username {
		if err := checkName(*change.Username); err != nil {
			return o, err
		}
		o.Username = *change.Username
	}
	if change.Password != "" && short(change.Password) {
		return o, errno.AdminInvalidPassword.Because(text.OperatorPassword)
	}
	return o, nil
}

// rewrite stores an operator as they are to be, where the caller may do that.
func (c caller) rewrite(ctx context.Context, tx *db.Tx, before, after Operator) error {
	super, err := isSuper(ctx, tx, before.ID)
	if err != nil {
		return err
	}
	if super && !c.super() {
		return fmt.Errorf("operator %d: %w", before.ID, errno.AdminAlterNotAllowed.Because(text.OperatorSuper))
	}
	if err := c.mayHandOut(ctx, tx, before.Roles, after.Roles); err != nil {
		return err
	}
	if err := setOperator(ctx, tx, after, after.UpdateTime); err != nil {
		return err
	}
	if err := setHoldings(ctx, tx, after.ID, after.Roles, after.UpdateTime); err != nil {
		return err
	}
	return someSuperLeft(ctx, tx, super, errno.AdminAlterNotAllowed)
}

// someSuperLeft fails with a code where a super operator was changed and nobody is left who may do everything.
func someSuperLeft(ctx context.Context, tx *db.Tx, changed bool, code *errno.Code) error {
	if !changed {
		return nil
	}
	left, err := superOperators(ctx, tx)
	if err != nil || len(left) > 0 {
		return err
	}
	return code.Because(text.OperatorLastSuper)
}

// DeleteOperator deletes an operator, with their notices, on behalf of another one; one who is not there is none to
// delete. It fails with errno.AdminDeleteNotAllowed for the caller themself, for a super operator whom the caller is
// below, and where nobody would be left who may do everything.
func (s *Service) DeleteOperator(ctx context.Context, by, id int64) error {
	return s.change(ctx, func(tx *db.Tx) error {
		c, err := callerNow(ctx, tx, by)
		if err != nil {
			return err
		}
		row, found, err := findOperator(ctx, tx, "id = ?", id)
		if err != nil {
			return err
		}
		if !found {
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		before, err := withRoles(ctx, tx, row.operator())
		if err != nil {
			return err
		}
		super, err := isSuper(ctx, tx, id)
		if err != nil {
			return err
		}
		if id == by || super && !c.super() {
			why := text.OperatorSuperDelete
			if id == by {
				why = text.OperatorSelf
			}
			return fmt.Errorf("operator %d deletes operator %d: %w", by, id, errno.AdminDeleteNotAllowed.Because(why))
		}
		if err := deleteOperator(ctx, tx, id, s.now()); err != nil {
			return err
		}
		if err := someSuperLeft(ctx, tx, super, errno.AdminDeleteNotAllowed); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: before.recorded(), Result: before.Username})
	})
}
