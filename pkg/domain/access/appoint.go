package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// superRole is the name of the role that the first operator gets.
const superRole = "超级管理员"

// Appointment is an operator to be made, together with the role it shall hold.
type Appointment struct {
	Username, Password string
	// Role is the name of the role; where no live role has it, one is made with Values.
	Role   string
	Values []string
}

// Create makes an operator who may do everything, under a name and a password that follow the rules. It fails with
// errno.AdminInvalidName, errno.AdminInvalidPassword, and errno.AdminNameExists.
func (s *Service) Create(ctx context.Context, username, password string) (int64, error) {
	if err := checkName(username); err != nil {
		return 0, fmt.Errorf("create operator: %w", err)
	}
	return s.Appoint(ctx, Appointment{Username: username, Password: password, Role: superRole, Values: []string{Super}})
}

// Appoint makes an operator with a role, in one transaction. It does not hold the name to the form that Create asks
// for, since a demo shop has shorter ones. It fails with errno.AdminInvalidPassword and errno.AdminNameExists.
func (s *Service) Appoint(ctx context.Context, a Appointment) (int64, error) {
	hash, err := s.hashed(a.Password)
	if err != nil {
		return 0, fmt.Errorf("appoint operator: %w", err)
	}
	var id int64
	err = s.change(ctx, func(tx *db.Tx) error {
		at := s.now()
		role, err := ensureRole(ctx, tx, a.Role, a.Values, at)
		if err != nil {
			return err
		}
		if id, err = insertOperator(ctx, tx, a.Username, hash, "", at); err != nil {
			return err
		}
		if err := setHoldings(ctx, tx, id, []int64{role}, at); err != nil {
			return err
		}
		o := Operator{ID: id, Username: a.Username, Roles: []int64{role}}
		return audit.Record(ctx, tx, audit.Change{ID: id, After: o.recorded(), Result: o.Username})
	})
	return id, err
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

// FirstName is the login name of the first operator where nobody chooses another one.
const FirstName = "administrator"

// First makes the first operator with a random password, where no live operator exists. It returns empty texts where
// there is one, also where another process has made it at the same time.
func (s *Service) First(ctx context.Context) (username, password string, err error) {
	some, err := anyOperator(ctx, s.db)
	if err != nil || some {
		return "", "", err
	}
	password = rand.Text()
	if _, err = s.Create(ctx, FirstName, password); err == nil {
		return FirstName, password, nil
	}
	if some, again := anyOperator(ctx, s.db); again == nil && some {
		return "", "", nil
	}
	return "", "", fmt.Errorf("make the first operator: %w", err)
}

// Disable locks an operator: its sessions are over and it cannot log in. It fails with errno.UpdateFailed for an
// unknown name, and with errno.AdminAlterNotAllowed where nobody would be left who may do everything.
func (s *Service) Disable(ctx context.Context, username string) (int64, error) {
	var id int64
	err := s.change(ctx, func(tx *db.Tx) error {
		supers, err := superOperators(ctx, tx)
		if err != nil {
			return err
		}
		o, err := lockOperator(ctx, tx, Key(username))
		if err != nil {
			return err
		}
		if len(supers) == 1 && supers[0] == o.ID {
			return errno.AdminAlterNotAllowed.Because(text.OperatorLastSuper)
		}
		id = o.ID
		if err := setLocked(ctx, tx, o.ID, s.now()); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: o.ID, Before: locked{o.Username, o.Status != 0}, After: locked{o.Username, true}, Result: o.Username,
		})
	})
	return id, err
}

func setLocked(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET status = 1, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", at, id)
	return changeOperator(res.RowsAffected, id, res.Error)
}

// SetPassword gives an operator a new password, unlocks nothing, and ends all of its sessions. It fails with
// errno.UpdateFailed for an unknown name and with errno.AdminInvalidPassword.
func (s *Service) SetPassword(ctx context.Context, username, password string) (int64, error) {
	hash, err := s.hashed(password)
	if err != nil {
		return 0, fmt.Errorf("set password: %w", err)
	}
	var id int64
	err = s.change(ctx, func(tx *db.Tx) error {
		o, err := lockOperator(ctx, tx, Key(username))
		if err != nil {
			return err
		}
		id = o.ID
		if err := setPassword(ctx, tx, o.ID, hash, s.now()); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, After: newPassword(o.Username), Result: o.Username})
	})
	return id, err
}

func setPassword(ctx context.Context, tx *db.Tx, id int64, hash string, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET password_hash = ?, token_version = token_version + 1, "+
		"version = version + 1, update_time = ? WHERE id = ? AND deleted = 0", hash, at, id)
	return changeOperator(res.RowsAffected, id, res.Error)
}

// locked is what the record of a lock says of an operator.
type locked struct {
	Username string
	Locked   bool
}

// newPassword is what the record of a new password says, which is struck out.
func newPassword(username string) any {
	return struct{ Username, Password string }{username, "new"}
}

// The bounds of a password: characters, and bytes because bcrypt reads no more.
const (
	leastPassword = 6
	mostPassword  = 64
	bcryptBytes   = 72
)

func short(password string) bool { return utf8.RuneCountInString(password) < leastPassword }

// hashed checks a new password and hides it. It fails with errno.AdminInvalidPassword.
func (s *Service) hashed(password string) (string, error) {
	if short(password) || utf8.RuneCountInString(password) > mostPassword || len(password) > bcryptBytes {
		return "", errno.AdminInvalidPassword.Because(text.OperatorPassword)
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), s.cost)
	if err != nil {
		return "", fmt.Errorf("hash the password: %w", err)
	}
	return string(hash), nil
}

// OpenTo returns those of some login names whose operators are live, not locked, and let in by a published password.
func (s *Service) OpenTo(ctx context.Context, names []string, password string) ([]string, error) {
	var open []string
	for _, name := range names {
		row, found, err := findOperator(ctx, s.db, "username_key = ?", Key(name))
		if err != nil {
			return nil, fmt.Errorf("look for operators with a published password: %w", err)
		}
		if found && row.Status == 0 && bcrypt.CompareHashAndPassword([]byte(row.PasswordHash), []byte(password)) == nil {
			open = append(open, name)
		}
	}
	return open, nil
}
