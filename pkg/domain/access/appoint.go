package access

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// Appointment is an operator to create together with a role.
type Appointment struct {
	Username, Password string
	// Role is the name of the role; if there is no live role of this name, one is created with Values.
	Role   string
	Values []string
}

// Create creates a super operator with a valid name and password. It fails with errno.AdminInvalidName,
// errno.AdminInvalidPassword, and errno.AdminNameExists.
func (s *Service) Create(ctx context.Context, username, password string) (int64, error) {
	if err := checkName(username); err != nil {
		return 0, fmt.Errorf("create operator: %w", err)
	}
	role := text.RoleSuperName.In(s.language)
	return s.Appoint(ctx, Appointment{Username: username, Password: password, Role: role, Values: []string{Super}})
}

// Appoint creates an operator with a role, in one transaction. It does not check the form of the name as Create does,
// because demo shops have shorter ones. It fails with errno.AdminInvalidPassword and errno.AdminNameExists.
func (s *Service) Appoint(ctx context.Context, a Appointment) (int64, error) {
	hash, err := s.hashed(ctx, a.Password)
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
		return audit.Record(ctx, tx, audit.Change{ID: id, After: o.appointed(hash), Result: o.Username})
	})
	return id, err
}

// ensureRole returns the live role of a name, or creates it with the values. It fails with errno.RoleNameExists for a
// disabled role, which would grant nothing.
func ensureRole(ctx context.Context, tx *db.Tx, name string, values []string, at time.Time) (int64, error) {
	var known int64
	for _, n := range namesOf(name) {
		id, err := roleNamed(ctx, tx, n, 0)
		if err != nil {
			return 0, err
		}
		known = cmp.Or(known, id)
	}
	r, found, err := roles.LockLive(ctx, tx, known)
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

// namesOf returns the name of a role, and for the role of the first operator its names in all languages: it remains the
// same role when the language of the shop changes.
func namesOf(name string) []string {
	names := []string{name}
	for _, language := range text.Languages() {
		names = append(names, text.RoleSuperName.In(language))
	}
	if slices.Contains(names[1:], name) {
		return names
	}
	return names[:1]
}

// FirstName is the default login name of the first operator.
const FirstName = "administrator"

// First creates the first operator with a random password if there is no live operator. It returns empty texts if there
// is one, also if another process has created it concurrently.
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

// Disable locks an operator and ends their sessions. It fails with errno.UpdateFailed for an unknown name, and with
// errno.AdminAlterNotAllowed for the last super operator.
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

// lockOperator loads and locks a live operator by login name. It fails with errno.UpdateFailed.
func lockOperator(ctx context.Context, tx *db.Tx, username string) (Operator, error) {
	o, found, err := operators.One(ctx, tx, byName+" FOR UPDATE", Key(username))
	if err == nil && !found {
		err = fmt.Errorf("lock operator: %w", errno.UpdateFailed)
	}
	return o, err
}

// SetPassword sets an operator's password and ends all of their sessions; a locked operator stays locked. It fails with
// errno.UpdateFailed for an unknown name and with errno.AdminInvalidPassword.
func (s *Service) SetPassword(ctx context.Context, username, password string) (int64, error) {
	hash, err := s.hashed(ctx, password)
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
		return audit.Record(ctx, tx, audit.Change{ID: id, After: newPassword(o.Username, hash), Result: o.Username})
	})
	return id, err
}

// lockState is what audit records show of a lock.
type lockState struct {
	Username string
	Locked   bool
}

// newPassword is what audit records show of a new password, which is redacted.
func newPassword(username, hash string) any {
	return struct{ Username, Password, Fingerprint string }{username, "new", fingerprint(hash)}
}

// fingerprint is what audit records show of the hash of a password, by which a hash that was replaced in the database
// is found. The salt in the hash makes it useless for guessing.
func fingerprint(hash string) string {
	sum := sha256.Sum256([]byte(hash))
	return hex.EncodeToString(sum[:])
}

// recorded is what audit records show of an operator.
func (o Operator) recorded() any {
	return struct {
		Username string  `json:"username"`
		Avatar   string  `json:"avatar"`
		RoleIDs  []int64 `json:"roleIds"`
	}{o.Username, o.Avatar, append([]int64{}, o.Roles...)}
}

// appointed is recorded of a new operator.
func (o Operator) appointed(hash string) any {
	return struct {
		Username    string  `json:"username"`
		Avatar      string  `json:"avatar"`
		RoleIDs     []int64 `json:"roleIds"`
		Fingerprint string  `json:"fingerprint"`
	}{o.Username, o.Avatar, append([]int64{}, o.Roles...), fingerprint(hash)}
}

// The bounds of the characters of a password.
const (
	minPassword = 6
	maxPassword = 64
)

func short(password string) bool { return utf8.RuneCountInString(form.Secret(password)) < minPassword }

// hashed checks and hashes a new password. It fails with errno.AdminInvalidPassword.
func (s *Service) hashed(ctx context.Context, password string) (string, error) {
	password = form.Secret(password)
	if short(password) || utf8.RuneCountInString(password) > maxPassword || len(password) > hashing.MaxBytes {
		return "", errno.AdminInvalidPassword.Because(text.OperatorPassword)
	}
	return s.passwords.Hash(ctx, password)
}

// OpenTo returns those of the login names whose operators are live and unlocked and still have a published password.
func (s *Service) OpenTo(ctx context.Context, names []string, password string) ([]string, error) {
	var open []string
	for _, name := range names {
		row, found, err := admins.One(ctx, s.db, byName, Key(name))
		if err != nil {
			return nil, fmt.Errorf("find operators with a published password: %w", err)
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
