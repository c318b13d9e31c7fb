package account

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

func findByID(ctx context.Context, q db.Querier, id int64) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "id = ? AND status = 0 AND deleted = 0", id)
}

func findByOpenID(ctx context.Context, q db.Querier, openID string) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "wx_openid = ? AND del_mark = 0", openID)
}

func lockByOpenID(ctx context.Context, tx *db.Tx, openID string) (credentialRow, bool, error) {
	return findCredentials(ctx, tx, "wx_openid = ? AND del_mark = 0 FOR UPDATE", openID)
}

func saveAppLogin(ctx context.Context, tx *db.Tx, id int64, sealedKey, address string, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE user SET wx_session_key = ?, last_login_time = ?, last_login_ip = ?, update_time = ?, "+
		"version = version + 1 WHERE id = ?", sealedKey, at, address, at, id).Error
}

// savePassword reports false where the account no longer has the mobile.
func savePassword(ctx context.Context, tx *db.Tx, id int64, mobile, hash string, at time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE user SET password_hash = ?, token_version = token_version + 1, update_time = ?, "+
		"version = version + 1 WHERE id = ? AND mobile = ? AND deleted = 0", hash, at, id, mobile)
	return res.RowsAffected == 1, res.Error
}

// saveMobile reports false where the account has been disabled or deleted, or has ended its tokens, since it was read.
// A password never changes without ending them.
func saveMobile(
	ctx context.Context, tx *db.Tx, r credentialRow, mobile string, endTokens bool, at time.Time,
) (bool, error) {
	raise := 0
	if endTokens {
		raise = 1
	}
	res := tx.G(ctx).Exec("UPDATE user SET mobile = ?, token_version = token_version + ?, update_time = ?, "+
		"version = version + 1 WHERE id = ? AND status = 0 AND deleted = 0 AND token_version = ?",
		mobile, raise, at, r.ID, r.TokenVersion)
	return res.RowsAffected == 1, res.Error
}

// giveCredentials makes an account of the app platform one with a name, a password and a mobile. It reports false
// where the account has got credentials meanwhile or may not be used.
func giveCredentials(ctx context.Context, tx *db.Tx, id int64, u newUser) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE user SET username = ?, username_key = ?, password_hash = ?, mobile = ?, "+
		"wx_session_key = ?, last_login_time = ?, last_login_ip = ?, update_time = ?, version = version + 1 "+
		"WHERE id = ? AND wx_openid = ? AND password_hash IS NULL AND status = 0 AND deleted = 0",
		u.Username, u.Key, u.Hash, u.Mobile, u.SessionKey, u.At, u.Address, u.At, id, u.OpenID)
	return res.RowsAffected == 1, res.Error
}
