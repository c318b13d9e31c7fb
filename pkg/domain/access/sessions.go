package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/ratelimit"
	"shop.internal/pkg/domain/runtime/token"
)

// maxShownName bounds the characters of an attempted name that are logged.
const maxShownName = 63

// Sessions logs operators in and out. A session carries the operator's id and token version, but no permission.
type Sessions struct {
	access   *Service
	tokens   *token.Service
	attempts *ratelimit.Attempts
}

// NewSessions returns the sessions of the staff, with their tokens and their limits of failed logins.
func NewSessions(s *Service, tokens *token.Service, attempts *ratelimit.Attempts) *Sessions {
	return &Sessions{access: s, tokens: tokens, attempts: attempts}
}

// Credentials are what an operator logs in with.
type Credentials struct{ Username, Password, Address string }

// LogIn checks the credentials, records the login, and opens a session. It fails with errno.AdminInvalidAccount for
// every reason: unknown name, wrong password, locked operator, too many failures.
func (s *Sessions) LogIn(ctx context.Context, c Credentials) (Operator, string, error) {
	o, tok, err := s.logIn(ctx, c)
	s.access.db.Meter().Count(meter.Logins, meter.Staff, meter.Result(err, errno.AdminInvalidAccount))
	return o, tok, err
}

func (s *Sessions) logIn(ctx context.Context, c Credentials) (Operator, string, error) {
	key := Key(c.Username)
	row, found, err := admins.One(ctx, s.access.db, byName, key)
	if err != nil {
		return Operator{}, "", err
	}
	reason, err := s.verify(ctx, key, c, row, found)
	if err != nil {
		return Operator{}, "", err
	}
	ctx, cancel := hashing.Keep(ctx)
	defer cancel()
	if reason != nil {
		return Operator{}, "", s.refuse(ctx, key, c, reason)
	}
	tok, err := s.open(ctx, row.Operator, c.Address)
	return s.access.shown(row.Operator), tok, err
}

// verify returns why a password is not accepted, nil if it is. Failures count against the name and the address; beyond
// the limit every password is refused until the window ends.
func (s *Sessions) verify(
	ctx context.Context, key string, c Credentials, row operatorRow, found bool,
) (reason *text.Text, err error) {
	turn, err := s.access.passwords.Turn(ctx)
	if err != nil {
		return nil, err
	}
	defer turn.Leave()
	blocked, err := s.attempts.Blocked(ctx, key, c.Address)
	if err != nil || blocked {
		return text.LogTooManyLogins, err
	}
	reason, err = row.refusal(found, turn, c.Password)
	if err != nil {
		return nil, err
	}
	kept, cancel := hashing.Keep(ctx)
	defer cancel()
	if reason != nil {
		return reason, s.attempts.Failed(kept, key, c.Address)
	}
	// Checked again, since other attempts may have failed while this password was compared.
	if blocked, err = s.attempts.Blocked(kept, key, c.Address); err != nil || blocked {
		return text.LogTooManyLogins, err
	}
	return nil, nil
}

// refusal returns why the password is not accepted, nil if it is. It always computes one hash.
func (r operatorRow) refusal(found bool, turn *hashing.Turn, given string) (*text.Text, error) {
	hash := r.PasswordHash
	if !found {
		hash = ""
	}
	match, err := turn.Match(hash, given)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return text.LogNoOperator, nil
	case !match:
		return text.LogWrongPassword, nil
	case r.Operator.Locked:
		return text.LogLocked, nil
	}
	return nil, nil
}

// refuse records a failed login. Of the attempts beyond the limit only the first of a window is recorded, so that an
// attacker does not fill the log.
func (s *Sessions) refuse(ctx context.Context, key string, c Credentials, reason *text.Text) error {
	if reason == text.LogTooManyLogins {
		first, err := s.attempts.FirstRefusal(ctx, key, c.Address)
		if err != nil {
			return err
		}
		if !first {
			return fmt.Errorf("log in: %s: %w", reason.In(text.English), errno.AdminInvalidAccount)
		}
	}
	err := audit.Log(ctx, s.access.db, audit.Entry{
		Admin: text.LogAnonymous.Stored(), Address: c.Address, Kind: logkind.Security, Action: text.LogLogin.Stored(),
		Result: reason.Stored(), Comment: form.Truncate(c.Username, maxShownName),
	}, s.access.now())
	if err != nil {
		return err
	}
	return fmt.Errorf("log in: %s: %w", reason.In(text.English), errno.AdminInvalidAccount)
}

// open issues a token and records the login. If recording fails, the token is revoked.
func (s *Sessions) open(ctx context.Context, o Operator, address string) (string, error) {
	tok, err := s.tokens.Issue(ctx, o.ID, o.TokenVersion, address)
	if err != nil {
		return "", err
	}
	err = s.access.db.InTx(ctx, func(tx *db.Tx) error {
		if err := saveLogin(ctx, tx, o.ID, address, s.access.now()); err != nil {
			return err
		}
		return audit.Log(ctx, tx, audit.Entry{
			Admin: o.Username, Address: address, Kind: logkind.Security, Action: text.LogLogin.Stored(), OK: true,
		}, s.access.now())
	})
	if err != nil {
		return "", errors.Join(err, s.tokens.Revoke(ctx, tok))
	}
	return tok, nil
}

// saveLogin stores the time and address of a login. It writes no other column and does not raise the version, so that a
// login never conflicts with a change.
func saveLogin(ctx context.Context, tx *db.Tx, id int64, address string, at time.Time) error {
	_, err := db.Exec(ctx, tx, `UPDATE admin
		SET last_login_ip = ?, last_login_time = ?
		WHERE id = ?`, address, at, id)
	if err != nil {
		return fmt.Errorf("save the login of operator %d: %w", id, err)
	}
	return nil
}

// Find returns the operator of a token; touch extends the idle time of the session. It fails with errno.LoginRequired
// for a token that is unknown or expired, and for an operator who was deleted, locked, or given a new password since.
func (s *Sessions) Find(ctx context.Context, tok string, touch bool) (Operator, error) {
	session, err := s.tokens.Find(ctx, tok, touch)
	if err != nil {
		return Operator{}, err
	}
	o, found, err := operators.Live(ctx, s.access.db, session.Subject)
	if err != nil {
		return Operator{}, err
	}
	if !found || o.Locked || o.TokenVersion != session.Version {
		return Operator{}, fmt.Errorf("session of operator %d: %w", session.Subject, errno.LoginRequired)
	}
	return s.access.shown(o), nil
}

// LogOut ends the session of a token and records it.
func (s *Sessions) LogOut(ctx context.Context, o Operator, tok, address string) error {
	if err := s.tokens.Revoke(ctx, tok); err != nil {
		return err
	}
	return audit.Log(ctx, s.access.db, audit.Entry{
		Admin: o.Username, Address: address, Kind: logkind.Security, Action: text.LogLogout.Stored(), OK: true,
	}, s.access.now())
}

// End deletes all sessions of an operator whose account was locked or whose password was changed. The token version has
// invalidated them already; this only frees them.
func (s *Sessions) End(ctx context.Context, operator int64) error {
	return s.tokens.RevokeAll(ctx, operator, "")
}

// PasswordChange is a request for a new password, with the token and address of the call.
type PasswordChange struct{ Old, New, Token, Address string }

// ChangePassword changes the password of an operator who knows the old one. The calling session stays, their others
// end. It fails with errno.AdminInvalidAccount for a wrong password, which is recorded and counts as a failed login,
// errno.AdminInvalidPassword, and errno.Stale if the password was changed concurrently.
func (s *Sessions) ChangePassword(ctx context.Context, operator int64, c PasswordChange) error {
	row, found, err := admins.Live(ctx, s.access.db, operator)
	if err != nil {
		return err
	}
	name, version := row.Operator.Username, row.Operator.TokenVersion
	noted := audit.Entry{Admin: name, Address: c.Address, Kind: logkind.Security, Action: text.LogPassword.Stored()}
	reason, err := s.verify(ctx, Key(name), Credentials{name, c.Old, c.Address}, row, found)
	if err != nil {
		return err
	}
	if reason != nil {
		noted.Result = reason.Stored()
		if err := audit.Log(ctx, s.access.db, noted, s.access.now()); err != nil {
			return err
		}
		return fmt.Errorf("change the password of operator %d: %s: %w",
			operator, reason.In(text.English), errno.AdminInvalidAccount)
	}
	hash, err := s.access.hashed(ctx, c.New)
	if err != nil {
		return fmt.Errorf("change the password of operator %d: %w", operator, err)
	}
	err = s.access.db.InTx(ctx, func(tx *db.Tx) error {
		at := s.access.now()
		if err := replacePassword(ctx, tx, row, hash, at); err != nil {
			return err
		}
		if err := audit.RecordOnly(ctx, tx, audit.Change{ID: operator, After: newPassword(name, hash)}); err != nil {
			return err
		}
		noted.OK = true
		return audit.Log(ctx, tx, noted, at)
	})
	if err != nil {
		return err
	}
	// The token version has ended all sessions; this renews the calling one, even if the client has disconnected.
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.tokens.Renew(ctx, c.Token, version+1), s.tokens.RevokeAll(ctx, operator, c.Token))
}

// replacePassword replaces the hash that was compared, and changes nothing else of the operator.
func replacePassword(ctx context.Context, tx *db.Tx, was operatorRow, hash string, at time.Time) error {
	o := was.Operator
	changed, err := admins.Moved(ctx, tx,
		table.Set{"password_hash": hash, "token_version": endSessions, "update_time": at},
		"id = ? AND password_hash = ? AND token_version = ? AND status = ? AND deleted = 0",
		o.ID, was.PasswordHash, o.TokenVersion, usable)
	return inTime("operator", o.ID, changed, err)
}
