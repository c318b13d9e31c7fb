package access

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
	"shop.internal/pkg/domain/token"
)

// Operator is a user of the administration.
type Operator struct {
	ID               int64
	Username, Avatar string
	// Locked operators may not log in, and their sessions are over.
	Locked bool
	// TokenVersion is the version that a session must carry to be valid.
	TokenVersion int
	// Roles are the ids of the live roles held, in the order in which they were given.
	Roles []int64
	// LastLoginAddress and LastLogin are empty for an operator who has never logged in.
	LastLoginAddress    string
	LastLogin           time.Time
	AddTime, UpdateTime time.Time
}

// Key is the form in which login names are compared: trimmed, NFKC, lower case. So the answer depends on no engine's
// collation.
func Key(name string) string { return strings.ToLower(norm.NFKC.String(strings.TrimSpace(name))) }

// checkName holds the form of a login name. It fails with errno.AdminInvalidName.
func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 6 || n > 20 || strings.HasSuffix(name, "_") || strings.ContainsFunc(name, foreign) {
		return errno.AdminInvalidName.Because(text.OperatorName)
	}
	return nil
}

func foreign(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
		return false
	}
	return r < '\u4e00' || r > '\u9fa5'
}

type operatorRow struct {
	ID            int64
	Username      string
	PasswordHash  string
	LastLoginIP   *string `gorm:"column:last_login_ip"`
	LastLoginTime *time.Time
	Avatar        *string
	Status        int
	TokenVersion  int
	AddTime       time.Time
	UpdateTime    time.Time
}

const operatorColumns = "id, username, password_hash, last_login_ip, last_login_time, avatar, status, token_version, " +
	"add_time, update_time"

func (r operatorRow) operator() Operator {
	o := Operator{
		ID: r.ID, Username: r.Username, Locked: r.Status != 0, TokenVersion: r.TokenVersion,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
	if r.Avatar != nil {
		o.Avatar = *r.Avatar
	}
	if r.LastLoginIP != nil {
		o.LastLoginAddress = *r.LastLoginIP
	}
	if r.LastLoginTime != nil {
		o.LastLogin = *r.LastLoginTime
	}
	return o
}

// findOperator reads one live operator by a condition written in this package.
func findOperator(ctx context.Context, q db.Querier, where string, arg any) (operatorRow, bool, error) {
	var rows []operatorRow
	err := q.G(ctx).Raw("SELECT "+operatorColumns+" FROM admin WHERE "+where+" AND del_mark = 0", arg).Scan(&rows).Error
	if err != nil {
		return operatorRow{}, false, fmt.Errorf("read operator: %w", err)
	}
	if len(rows) == 0 {
		return operatorRow{}, false, nil
	}
	return rows[0], true, nil
}

// lockOperator reads one live operator for a change. It fails with errno.UpdateFailed.
func lockOperator(ctx context.Context, tx *db.Tx, key string) (operatorRow, error) {
	var rows []operatorRow
	err := tx.G(ctx).Raw("SELECT "+operatorColumns+" FROM admin WHERE username_key = ? AND del_mark = 0 FOR UPDATE",
		key).Scan(&rows).Error
	if err != nil {
		return operatorRow{}, fmt.Errorf("lock operator: %w", err)
	}
	if len(rows) == 0 {
		return operatorRow{}, fmt.Errorf("lock operator: %w", errno.UpdateFailed)
	}
	return rows[0], nil
}

func anyOperator(ctx context.Context, q db.Querier) (bool, error) {
	var ids []int64
	if err := q.G(ctx).Raw("SELECT id FROM admin WHERE deleted = 0 LIMIT 1").Scan(&ids).Error; err != nil {
		return false, fmt.Errorf("look for an operator: %w", err)
	}
	return len(ids) > 0, nil
}

// shown is the operator with the picture to show for them.
func (s *Service) shown(o Operator) Operator {
	o.Avatar = s.avatars.Shown(o.Avatar)
	return o
}

// Find returns a live operator by id, locked or not. It fails with errno.Invalid for an unknown one.
func (s *Service) Find(ctx context.Context, id int64) (Operator, error) {
	return s.one(ctx, "id = ?", id)
}

// FindByName returns a live operator by login name, compared without case. It fails with errno.Invalid for an unknown
// one.
func (s *Service) FindByName(ctx context.Context, name string) (Operator, error) {
	return s.one(ctx, "username_key = ?", Key(name))
}

// one reads one operator by a condition of this package, with its roles.
func (s *Service) one(ctx context.Context, where string, arg any) (Operator, error) {
	r, found, err := findOperator(ctx, s.db, where, arg)
	if err != nil {
		return Operator{}, err
	}
	if !found {
		return Operator{}, fmt.Errorf("find operator %v: %w", arg, errno.NoSuch("adminId"))
	}
	return withRoles(ctx, s.db, s.shown(r.operator()))
}

// withRoles fills in the roles of an operator.
func withRoles(ctx context.Context, q db.Querier, o Operator) (Operator, error) {
	held, err := rolesOf(ctx, q, o.ID)
	o.Roles = held[o.ID]
	return o, err
}

// Any reports whether there is a live operator, locked or not.
func (s *Service) Any(ctx context.Context) (bool, error) { return anyOperator(ctx, s.db) }

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

// listOperators lists the live operators whose name contains a text, without their roles.
func listOperators(ctx context.Context, q db.Querier, name string, w page.Query) (page.List[Operator], error) {
	const columns = "r.id, r.username, r.last_login_ip, r.last_login_time, r.avatar, r.status, r.token_version, " +
		"r.add_time, r.update_time"
	rows, err := listing.Fetch[operatorRow](ctx, q, listing.Of("admin", columns).Contains("username", name), w)
	return page.Map(rows, operatorRow.operator), err
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

func insertOperator(
	ctx context.Context, tx *db.Tx, username, hash, avatar string, at time.Time,
) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO admin (username, username_key, password_hash, last_login_ip, "+
		"last_login_time, avatar, status, token_version, add_time, update_time, deleted, del_mark, version) "+
		"VALUES (?, ?, ?, '', NULL, ?, 0, ?, ?, ?, 0, 0, 0)", username, Key(username), hash, avatar, token.FirstVersion(),
		at, at)
	if db.Duplicate(err, "uk_admin_name") {
		return 0, fmt.Errorf("insert operator %s: %w", username, errno.AdminNameExists)
	}
	if err != nil {
		return 0, fmt.Errorf("insert operator: %w", err)
	}
	return id, nil
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

// setOperator writes what may be changed of an operator and nothing else. It fails with errno.AdminNameExists.
func setOperator(ctx context.Context, tx *db.Tx, o Operator, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET username = ?, username_key = ?, avatar = ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND deleted = 0", o.Username, Key(o.Username), o.Avatar, at, o.ID)
	if db.Duplicate(res.Error, "uk_admin_name") {
		return fmt.Errorf("rename operator %d: %w", o.ID, errno.AdminNameExists)
	}
	return changeOperator(res.RowsAffected, o.ID, res.Error)
}

func changeOperator(changed, id int64, err error) error {
	if err != nil {
		return fmt.Errorf("change operator %d: %w", id, err)
	}
	if changed != 1 {
		return fmt.Errorf("change operator %d: %w", id, errno.Stale)
	}
	return nil
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

// deleteOperator marks an operator deleted, shuts out all of its sessions, and takes its notices with it.
func deleteOperator(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET deleted = 1, del_mark = id, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", at, id)
	if err := changeOperator(res.RowsAffected, id, res.Error); err != nil {
		return err
	}
	err := tx.G(ctx).Exec("UPDATE notice_admin SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE admin_id = ? AND deleted = 0", at, id).Error
	if err != nil {
		return fmt.Errorf("delete the notices of operator %d: %w", id, err)
	}
	return nil
}
