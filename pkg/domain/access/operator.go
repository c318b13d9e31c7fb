package access

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/token"
)

// Operator is a user of the administration.
type Operator struct {
	ID               int64
	Username, Avatar string
	// Locked operators may not log in, and their sessions are over.
	Locked bool `gorm:"column:status"`
	// TokenVersion is the version that a valid session must have.
	TokenVersion int
	// Roles are the ids of the operator's live roles, in the order in which they were assigned.
	Roles []int64 `gorm:"-"`
	// LastLoginAddress and LastLogin are empty for an operator who has never logged in.
	LastLoginAddress    string    `gorm:"column:last_login_ip"`
	LastLogin           time.Time `gorm:"column:last_login_time" table:"null"`
	AddTime, UpdateTime time.Time
}

// operatorRow is an operator with the columns that only this package reads.
type operatorRow struct {
	// UsernameKey is the Key of the login name, which no two live operators share.
	UsernameKey, PasswordHash string
	Operator                  Operator `gorm:"embedded"`
}

var (
	admins    = table.Of[operatorRow]("admin", table.Versioned, table.Marked)
	operators = table.Part[Operator](admins)
)

// usable is the value of the column status of operators who may log in.
const usable = false

// endSessions is the new token_version that ends all of an operator's sessions.
var endSessions = gorm.Expr("token_version + 1")

// Key is the form in which login names are compared, so that the result does not depend on the database's collation.
func Key(name string) string { return form.Fold(name) }

// checkName checks the form of a login name. It fails with errno.AdminInvalidName.
func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 6 || n > 20 || strings.HasSuffix(name, "_") || strings.ContainsFunc(name, unknownRole) {
		return errno.AdminInvalidName.Because(text.OperatorName)
	}
	return nil
}

func unknownRole(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
		return false
	}
	return r < '\u4e00' || r > '\u9fa5'
}

// shown is the operator with the picture to show.
func (s *Service) shown(o Operator) Operator {
	o.Avatar = s.avatars.Shown(o.Avatar)
	return o
}

// Find returns a live operator by id, locked or not. It fails with errno.Invalid for an unknown one.
func (s *Service) Find(ctx context.Context, id int64) (Operator, error) {
	return s.one(ctx, "r.id = ? AND r.deleted = 0", id)
}

// FindByName returns a live operator by login name, compared without case. It fails with errno.Invalid for an unknown
// one.
func (s *Service) FindByName(ctx context.Context, name string) (Operator, error) {
	return s.one(ctx, byName, Key(name))
}

// byName is the condition on a live operator by the Key of the login name.
const byName = "r.username_key = ? AND r.del_mark = 0"

// one loads one operator by a condition, with their roles.
func (s *Service) one(ctx context.Context, where string, arg any) (Operator, error) {
	o, found, err := operators.One(ctx, s.db, where, arg)
	if err != nil {
		return Operator{}, err
	}
	if !found {
		return Operator{}, fmt.Errorf("find operator %v: %w", arg, errno.NoSuch(text.FieldOperator))
	}
	return withRoles(ctx, s.db, s.shown(o))
}

// withRoles fills in the roles of an operator.
func withRoles(ctx context.Context, q db.Querier, o Operator) (Operator, error) {
	held, err := rolesOf(ctx, q, o.ID)
	o.Roles = held[o.ID]
	return o, err
}

// liveOperator loads a live operator with their roles; it reports false for an unknown one.
func liveOperator(ctx context.Context, tx *db.Tx, id int64) (Operator, bool, error) {
	o, found, err := operators.Live(ctx, tx, id)
	if err != nil || !found {
		return o, found, err
	}
	o, err = withRoles(ctx, tx, o)
	return o, true, err
}

// Any reports whether there is a live operator, locked or not.
func (s *Service) Any(ctx context.Context) (bool, error) {
	return operators.Exists(ctx, s.db, "r.deleted = 0")
}

// NewOperator is an operator to create.
type NewOperator struct {
	Username, Password, Avatar string
	Roles                      RoleChoice
}

// OperatorChange is a partial update of an operator; nil fields stay unchanged.
type OperatorChange struct {
	Username, Avatar *string
	Roles            RoleChoice
	// Password is only checked for its minimum length: consoles demand a text, but it changes no password.
	Password string
}

// Operators lists the live operators whose name contains a text. Sort is add_time or id.
func (s *Service) Operators(ctx context.Context, name string, q page.Query) (page.List[Operator], error) {
	found, err := lists.Fetch[Operator](ctx, s.lists,
		lists.Select(admins.Name(), operators.Columns("r")).Contains("username", name), q)
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

// CreateOperator creates an operator on behalf of another one. It fails with errno.AdminInvalidName,
// errno.AdminInvalidPassword, errno.AdminNameExists, errno.Invalid for an unknown role, and errno.AdminAlterNotAllowed
// for a role that grants what the caller does not hold.
func (s *Service) CreateOperator(ctx context.Context, by actor.Actor, n NewOperator) (Operator, error) {
	n.Avatar = s.avatars.Stored(n.Avatar)
	return changeOnce(ctx, s, func() (func(tx *db.Tx) (Operator, error), error) {
		if err := checkName(n.Username); err != nil {
			return nil, fmt.Errorf("create operator: %w", err)
		}
		hash, err := s.hashed(ctx, n.Password)
		if err != nil {
			return nil, fmt.Errorf("create operator: %w", err)
		}
		return func(tx *db.Tx) (Operator, error) { return s.createOperator(ctx, tx, by, n, hash) }, nil
	})
}

func (s *Service) createOperator(
	ctx context.Context, tx *db.Tx, by actor.Actor, n NewOperator, hash string,
) (Operator, error) {
	at := s.now()
	c, err := callerNow(ctx, tx, by.ID)
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
	o := Operator{Username: n.Username, Avatar: n.Avatar, Roles: roles, AddTime: at, UpdateTime: at}
	if o.ID, err = insertOperator(ctx, tx, o, hash); err != nil {
		return Operator{}, err
	}
	if err := setAssignments(ctx, tx, o.ID, roles, at); err != nil {
		return Operator{}, err
	}
	if err := upload.Use(ctx, tx, n.Avatar); err != nil {
		return Operator{}, err
	}
	return s.shown(o), audit.Record(ctx, tx, audit.Change{ID: o.ID, After: o.appointed(hash), Result: o.Username})
}

// insertOperator fails with errno.AdminNameExists.
func insertOperator(ctx context.Context, tx *db.Tx, o Operator, hash string) (int64, error) {
	o.TokenVersion = token.FirstVersion()
	id, err := admins.Insert(ctx, tx, operatorRow{UsernameKey: Key(o.Username), PasswordHash: hash, Operator: o})
	if db.Duplicate(err, "uk_admin_name") {
		return 0, fmt.Errorf("insert operator %s: %w", o.Username, errno.AdminNameExists)
	}
	return id, err
}

// UpdateOperator changes an operator on behalf of another one or of themself. It fails with errno.UpdateFailed for an
// unknown one, errno.Invalid for an unknown role, errno.AdminInvalidName, errno.AdminInvalidPassword,
// errno.AdminNameExists, and with errno.AdminAlterNotAllowed for a change that the caller may not make or that would
// leave no super operator.
func (s *Service) UpdateOperator(
	ctx context.Context, by actor.Actor, id int64, change OperatorChange,
) (Operator, error) {
	if change.Avatar != nil {
		stored := s.avatars.Stored(*change.Avatar)
		change.Avatar = &stored
	}
	after, err := changeOnce(ctx, s, func() (func(tx *db.Tx) (Operator, error), error) {
		return func(tx *db.Tx) (Operator, error) { return s.updateOperator(ctx, tx, by, id, change) }, nil
	})
	return s.shown(after), err
}

func (s *Service) updateOperator(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64, change OperatorChange,
) (Operator, error) {
	c, err := callerNow(ctx, tx, by.ID)
	if err != nil {
		return Operator{}, err
	}
	before, found, err := liveOperator(ctx, tx, id)
	if err == nil && !found {
		err = fmt.Errorf("update operator %d: %w", id, errno.UpdateFailed)
	}
	if err != nil {
		return Operator{}, err
	}
	at, err := seen.Next(ctx, "operator", id, before.UpdateTime, s.now())
	if err != nil {
		return Operator{}, err
	}
	after, err := change.on(ctx, tx, before)
	if err != nil {
		return Operator{}, fmt.Errorf("update operator %d: %w", id, err)
	}
	after.UpdateTime = at
	if err := c.rewrite(ctx, tx, before, after); err != nil {
		return Operator{}, err
	}
	if err := upload.Use(ctx, tx, after.Avatar); err != nil {
		return Operator{}, err
	}
	return after, audit.Record(ctx, tx, audit.Change{
		ID: id, Before: before.recorded(), After: after.recorded(), Result: after.Username,
	})
}

// on applies the fields of the change that need no special right.
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

// rewrite stores a changed operator, if the caller may make the change.
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
	err = changeOperator(ctx, tx, after.ID, table.Set{
		"username": after.Username, "username_key": Key(after.Username), "avatar": after.Avatar,
		"update_time": after.UpdateTime,
	})
	if err != nil {
		return err
	}
	if err := setAssignments(ctx, tx, after.ID, after.Roles, after.UpdateTime); err != nil {
		return err
	}
	return someSuperLeft(ctx, tx, super, errno.AdminAlterNotAllowed)
}

// changeOperator updates columns of a live operator. It fails with errno.AdminNameExists.
func changeOperator(ctx context.Context, tx *db.Tx, id int64, set table.Set) error {
	changed, err := admins.Moved(ctx, tx, set, "id = ? AND deleted = 0", id)
	if db.Duplicate(err, "uk_admin_name") {
		return fmt.Errorf("rename operator %d: %w", id, errno.AdminNameExists)
	}
	return inTime("operator", id, changed, err)
}

// inTime returns errno.Stale if a row was deleted before it could be changed.
func inTime(kind string, id int64, changed bool, err error) error {
	if err == nil && !changed {
		return fmt.Errorf("change %s %d: %w", kind, id, errno.Stale)
	}
	return err
}

// someSuperLeft fails with a code if a super operator was changed and no usable one is left.
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

// DeleteOperator deletes an operator, with their notices, on behalf of another one; an unknown one is no error. It
// fails with errno.AdminDeleteNotAllowed for the caller themself, for a super operator if the caller is none, and for
// the last super operator.
func (s *Service) DeleteOperator(ctx context.Context, by actor.Actor, id int64) error {
	return s.change(ctx, func(tx *db.Tx) error {
		c, err := callerNow(ctx, tx, by.ID)
		if err != nil {
			return err
		}
		before, found, err := liveOperator(ctx, tx, id)
		if err != nil {
			return err
		}
		if !found {
			return audit.RecordOnly(ctx, tx, audit.Change{ID: id})
		}
		super, err := isSuper(ctx, tx, id)
		if err != nil {
			return err
		}
		if id == by.ID || super && !c.super() {
			why := text.OperatorSuperDelete
			if id == by.ID {
				why = text.OperatorSelf
			}
			return fmt.Errorf("operator %d deletes operator %d: %w", by.ID, id, errno.AdminDeleteNotAllowed.Because(why))
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

// deleteOperator deletes an operator with their receipts and ends their sessions.
func deleteOperator(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	n, err := admins.Remove(ctx, tx, table.Set{"token_version": endSessions, "update_time": at}, "id = ?", id)
	if err := inTime("operator", id, n == 1, err); err != nil {
		return err
	}
	_, err = receipts.Remove(ctx, tx, table.Set{"update_time": at}, "admin_id = ?", id)
	return err
}
