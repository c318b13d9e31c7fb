package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

const actionChange = "修改密码"

// PasswordChange is what an operator shows who wants another password, and the token and address of the call.
type PasswordChange struct{ Old, New, Token, Address string }

// ChangePassword gives an operator who knows their password another one. The session that calls stays, their others
// are over. It fails with errno.AdminInvalidAccount for a wrong password, which is noted and counts as a failed
// login, errno.AdminInvalidPassword, and errno.Stale where the password has just been changed elsewhere.
func (s *Sessions) ChangePassword(ctx context.Context, operator int64, c PasswordChange) error {
	row, found, err := findOperator(ctx, s.access.db, "id = ?", operator)
	if err != nil {
		return err
	}
	noted := audit.Entry{Admin: row.Username, Address: c.Address, Kind: audit.Security, Action: actionChange}
	reason, err := s.verify(ctx, Key(row.Username), Credentials{row.Username, c.Old, c.Address}, row, found)
	if err != nil {
		return err
	}
	if reason != "" {
		noted.Result = reason
		if err := audit.Log(ctx, s.access.db, noted, s.access.now()); err != nil {
			return err
		}
		return fmt.Errorf("change the password of operator %d: %s: %w", operator, reason, errno.AdminInvalidAccount)
	}
	hash, err := s.access.hashed(c.New)
	if err != nil {
		return fmt.Errorf("change the password of operator %d: %w", operator, err)
	}
	err = s.access.db.InTx(ctx, func(tx *db.Tx) error {
		at := s.access.now()
		if err := replacePassword(ctx, tx, row, hash, at); err != nil {
			return err
		}
		if err := audit.RecordOnly(ctx, tx, audit.Change{ID: row.ID, After: newPassword(row.Username)}); err != nil {
			return err
		}
		noted.OK = true
		return audit.Log(ctx, tx, noted, at)
	})
	if err != nil {
		return err
	}
	// The token version has shut all sessions out; this lets one in again. It is owed also to a client that has gone.
	ctx = context.WithoutCancel(ctx)
	return errors.Join(s.tokens.Renew(ctx, c.Token, row.TokenVersion+1), s.tokens.RevokeAll(ctx, operator, c.Token))
}

// replacePassword writes a new hash in place of the one that was compared, and nothing else of the operator.
func replacePassword(ctx context.Context, tx *db.Tx, was operatorRow, hash string, at time.Time) error {
	res := tx.G(ctx).Exec("UPDATE admin SET password_hash = ?, token_version = token_version + 1, version = version + 1, "+
		"update_time = ? WHERE id = ? AND password_hash = ? AND token_version = ? AND status = 0 AND deleted = 0",
		hash, at, was.ID, was.PasswordHash, was.TokenVersion)
	return changeOperator(res.RowsAffected, was.ID, res.Error)
}
