package access

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/avatar"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// Service is the one way to operators, roles and grants.
type Service struct {
	db   *db.DB
	rdb  redis.UniversalClient
	once *idempotency.Store
	now  func() time.Time
	// cost is the bcrypt cost of new password hashes.
	cost int
	// avatars is the picture of operators without one.
	avatars avatar.Default
	// generation counts the changes made by this process, which it must follow without asking Redis.
	generation atomic.Int64
}

// New returns the service. once keeps the first answers of repeated requests; cost is the bcrypt cost of new password
// hashes, 0 for the usual one; now gives the time in UTC.
func New(
	d *db.DB, rdb redis.UniversalClient, once *idempotency.Store, cost int, now func() time.Time,
) *Service {
	if cost == 0 {
		cost = bcrypt.DefaultCost
	}
	return &Service{db: d, rdb: rdb, once: once, now: now, cost: cost}
}

// ShowWithout sets the address of the picture by which operators without one are shown. It is called once, before
// anything is served.
func (s *Service) ShowWithout(address string) { s.avatars = avatar.Default(address) }

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

// Held returns what an operator has at this moment, read from MySQL.
func (s *Service) Held(ctx context.Context, operator int64) (Authority, error) {
	names, err := roleNames(ctx, s.db, operator)
	if err != nil {
		return Authority{}, err
	}
	values, err := valuesOf(ctx, s.db, operator)
	return Authority{Roles: names, Values: values}, err
}

// Grants returns who may do what: only live, usable operators, and only live, enabled roles.
func (s *Service) Grants(ctx context.Context) (Grants, error) {
	holdings, err := allHoldings(ctx, s.db)
	if err != nil {
		return Grants{}, err
	}
	values, err := allValues(ctx, s.db)
	return Grants{Holdings: holdings, Values: values}, err
}

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

// FirstName is the login name of the first operator where nobody chooses another one.
const FirstName = "administrator"

// Any reports whether there is a live operator, locked or not.
func (s *Service) Any(ctx context.Context) (bool, error) { return anyOperator(ctx, s.db) }

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

// change runs fn in a transaction, beside no other change of operators, roles or grants, and tells every replica
// afterwards that the grants are no longer what they were.
func (s *Service) change(ctx context.Context, fn func(tx *db.Tx) error) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockGrants(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		return err
	}
	s.publish(ctx)
	return nil
}

// changeOnce is change for work that a repeated request must not do again. prepare runs before the transaction.
func changeOnce[T any](
	ctx context.Context, s *Service, prepare func() (func(tx *db.Tx) (T, error), error),
) (T, error) {
	result, err := idempotency.InTxAfter(ctx, s.once, func() (func(tx *db.Tx) (T, error), error) {
		fn, err := prepare()
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (T, error) {
			if err := lockGrants(ctx, tx); err != nil {
				var none T
				return none, err
			}
			return fn(tx)
		}, nil
	})
	if err == nil {
		s.publish(ctx)
	}
	return result, err
}
