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
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
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
		o := Operator{Username: a.Username, Roles: []int64{role}, AddTime: at, UpdateTime: at}
		if id, err = insertOperator(ctx, tx, o, hash); err != nil {
			return err
		}
		if err := setAssignments(ctx, tx, id, o.Roles, at); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, After: o.recorded(), Result: o.Username})
	})
	return id, err
}

// ensureRole returns the live role of a name, made with the values where there is none. A role of that name which is
// disabled fails with errno.RoleNameExists, since it would grant nothing.
func ensureRole(ctx context.Context, tx *db.Tx, name string, values []string, at time.Time) (int64, error) {
	r, found, err := roles.One(ctx, tx, "r.name = ? AND r.del_mark = 0 FOR UPDATE", name)
	switch {
	case err != nil:
		return 0, err
	case found && !r.Enabled:
		return 0, fmt.Errorf("role %s is disabled: %w", name, errno.RoleNameExists)
	case found:
		return r.ID, nil
	}
	id, err := insertRole(ctx, tx, Role{Name: name, Enabled: true}, at)
	if errors.Is(err, errno.RoleNameExists) {
		return 0, fmt.Errorf("role %s was made just now: %w", name, errno.Stale)
	}
	if err != nil {
		return 0, err
	}
	return id, insertGrants(ctx, tx, id, values, at)
}

// FirstName is the login name of the first operator where nobody chooses another one.
const FirstName = "administrator"

// First makes the first operator with a random password, where no live operator exists. It returns empty texts where
// there is one, also where another process has made it at the same time.
func (s *Service) First(ctx context.Context) (username, password string, err error) {
	some, err := s.Any(ctx)
	if err != nil || some {
		return "", "", err
	}
	password = rand.Text()
	if _, err = s.Create(ctx, FirstName, password); err == nil {
		return FirstName, password, nil
	}
	if some, again := s.Any(ctx); again == nil && some {
		return "", "", nil
	}
	return "", "", fmt.Errorf("make the first operator: %w", err)
}

// Disable locks an operator: their sessions are over and they cannot log in. It fails with errno.UpdateFailed for an
// unknown name, and with errno.AdminAlterNotAllowed where nobody would be left who may do everything.
func (s *Service) Disable(ctx context.Context, username string) (int64, error) {
	var id int64
	err := s.change(ctx, func(tx *db.Tx) error {
		supers, err := superOperators(ctx, tx)
		if err != nil {
			return err
		}
		o, err := lockOperator(ctx, tx, username)
		if err != nil {
			return err
		}
		if len(supers) == 1 && supers[0] == o.ID {
			return errno.AdminAlterNotAllowed.Because(text.OperatorLastSuper)
		}
		id = o.ID
		set := table.Set{"status": true, "token_version": endSessions, "update_time": s.now()}
		if err := changeOperator(ctx, tx, id, set); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: o.ID, Before: lockState{o.Username, o.Locked}, After: lockState{o.Username, true}, Result: o.Username,
		})
	})
	return id, err
}

// lockOperator reads the live operator of a login name for a change. It fails with errno.UpdateFailed.
func lockOperator(ctx context.Context, tx *db.Tx, username string) (Operator, error) {
	o, found, err := operators.One(ctx, tx, byName+" FOR UPDATE", Key(username))
	if err == nil && !found {
		err = fmt.Errorf("lock operator: %w", errno.UpdateFailed)
	}
	return o, err
}

// SetPassword gives an operator a new password, unlocks nothing, and ends all of their sessions. It fails with
// errno.UpdateFailed for an unknown name and with errno.AdminInvalidPassword.
func (s *Service) SetPassword(ctx context.Context, username, password string) (int64, error) {
	hash, err := s.hashed(password)
	if err != nil {
		return 0, fmt.Errorf("set password: %w", err)
	}
	var id int64
	err = s.change(ctx, func(tx *db.Tx) error {
		o, err := lockOperator(ctx, tx, username)
		if err != nil {
			return err
		}
		id = o.ID
		set := table.Set{"password_hash": hash, "token_version": endSessions, "update_time": s.now()}
		if err := changeOperator(ctx, tx, id, set); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{ID: id, After: newPassword(o.Username), Result: o.Username})
	})
	return id, err
}

// lockState is what the record of a lock says of an operator.
type lockState struct {
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
		row, found, err := admins.One(ctx, s.db, byName, Key(name))
		if err != nil {
			return nil, fmt.Errorf("look for operators with a published password: %w", err)
		}
		if !found || row.Operator.Locked {
			continue
		}
		if bcrypt.CompareHashAndPassword([]byte(row.PasswordHash), []byte(password)) == nil {
			open = append(open, name)
		}
	}
	return open, nil
}
