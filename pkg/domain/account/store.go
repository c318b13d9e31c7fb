package account

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/token"
)

// credentialRow is what a login needs of an account.
type credentialRow struct {
	ID           int64
	Username     string
	UsernameKey  string
	PasswordHash sql.NullString
	Nickname     string
	Mobile       sql.NullString
	Avatar       string
	Gender       int
	Status       int
	TokenVersion int
	WxOpenid     sql.NullString
	WxSessionKey string
}

func (r credentialRow) profile() Profile {
	return Profile{
		ID: r.ID, Username: r.Username, Nickname: r.Nickname, Mobile: r.Mobile.String, Avatar: r.Avatar, Gender: r.Gender,
	}
}

const credentials = "SELECT id, username, username_key, password_hash, nickname, mobile, avatar, gender, status, " +
	"token_version, wx_openid, wx_session_key FROM user WHERE "

func findByKey(ctx context.Context, q db.Querier, key string) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "username_key = ? AND del_mark = 0", key)
}

func findByMobile(ctx context.Context, q db.Querier, mobile string) (credentialRow, bool, error) {
	return findCredentials(ctx, q, "mobile = ? AND del_mark = 0", mobile)
}

func findCredentials(ctx context.Context, q db.Querier, where string, value any) (credentialRow, bool, error) {
	var rows []credentialRow
	err := q.G(ctx).Raw(credentials+where, value).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return credentialRow{}, false, err
	}
	return rows[0], true, nil
}

func findActive(ctx context.Context, q db.Querier, id int64) (version int, found bool, err error) {
	var versions []int
	err = q.G(ctx).Raw("SELECT token_version FROM user WHERE id = ? AND status = 0 AND deleted = 0", id).
		Scan(&versions).Error
	if err != nil || len(versions) == 0 {
		return 0, false, err
	}
	return versions[0], true, nil
}

func findProfile(ctx context.Context, q db.Querier, id int64) (Profile, bool, error) {
	var rows []credentialRow
	err := q.G(ctx).Raw("SELECT id, username, nickname, mobile, avatar, gender FROM user "+
		"WHERE id = ? AND status = 0 AND deleted = 0", id).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Profile{}, false, err
	}
	return rows[0].profile(), true, nil
}

func findPeople(ctx context.Context, q db.Querier, ids []int64) (map[int64]Person, error) {
	var rows []struct {
		ID       int64
		Nickname string
		Avatar   string
	}
	err := q.G(ctx).Raw("SELECT id, nickname, avatar FROM user WHERE id IN ?", ids).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	people := make(map[int64]Person, len(rows))
	for _, r := range rows {
		people[r.ID] = Person{Nickname: r.Nickname, Avatar: r.Avatar}
	}
	return people, nil
}

func findOpenID(ctx context.Context, q db.Querier, id int64) (string, error) {
	var ids []sql.NullString
	err := q.G(ctx).Raw("SELECT wx_openid FROM user WHERE id = ? AND deleted = 0", id).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0].String, nil
}

// lock locks by writing: a locking read holds up nobody who writes to another server of a cluster.
func lock(ctx context.Context, tx *db.Tx, id int64) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE user SET version = version + 1 WHERE id = ?", id)
	return res.RowsAffected == 1, res.Error
}

// saveLogin records a login of the account as it was read, with a new hash of its password where there is one. It
// reports false where the account has been disabled, deleted or given another password since.
func saveLogin(
	ctx context.Context, tx *db.Tx, r credentialRow, newHash, address string, at time.Time,
) (bool, error) {
	set := "last_login_time = ?, last_login_ip = ?, update_time = ?, version = version + 1"
	args := []any{at, address, at}
	if newHash != "" {
		set += ", password_hash = ?"
		args = append(args, newHash)
	}
	args = append(args, r.ID, r.TokenVersion, r.PasswordHash.String)
	res := tx.G(ctx).Exec("UPDATE user SET "+set+
		" WHERE id = ? AND status = 0 AND deleted = 0 AND token_version = ? AND password_hash = ?", args...)
	return res.RowsAffected == 1, res.Error
}

func saveProfile(ctx context.Context, tx *db.Tx, id int64, c Changes, at time.Time) (bool, error) {
	set, args := []string{"update_time = ?", "version = version + 1"}, []any{at}
	add := func(column string, value any) {
		set, args = append(set, column+" = ?"), append(args, value)
	}
	if c.Nickname != "" {
		add("nickname", c.Nickname)
	}
	if c.Avatar != "" {
		add("avatar", c.Avatar)
	}
	if c.Gender != nil {
		add("gender", *c.Gender)
	}
	res := tx.G(ctx).Exec("UPDATE user SET "+strings.Join(set, ", ")+
		" WHERE id = ? AND status = 0 AND deleted = 0", append(args, id)...)
	if res.Error != nil || res.RowsAffected != 1 {
		return false, res.Error
	}
	return true, upload.Use(ctx, tx, c.Avatar)
}

// holders tell who has a login name and a mobile.
type holders struct {
	name bool
	// mobile is the id of the account with the mobile, 0 for none; app says that it has no password of its own.
	mobile int64
	app    bool
}

func registered(ctx context.Context, q db.Querier, key, mobile string) (holders, error) {
	var rows []struct {
		ID          int64
		UsernameKey string
		Mobile      sql.NullString
		App         bool
	}
	const columns = "SELECT id, username_key, mobile, password_hash IS NULL AND wx_openid IS NOT NULL AS app FROM user "
	err := q.G(ctx).Raw(columns+"WHERE username_key = ? AND del_mark = 0 UNION ALL "+
		columns+"WHERE mobile = ? AND del_mark = 0", key, mobile).Scan(&rows).Error
	if err != nil {
		return holders{}, fmt.Errorf("look for the name and the mobile: %w", err)
	}
	var h holders
	for _, r := range rows {
		h.name = h.name || r.UsernameKey == key
		if r.Mobile.String == mobile {
			h.mobile, h.app = r.ID, r.App
		}
	}
	return h, nil
}

// newUser is the row of a registration; what is empty of hash, mobile and identity is none.
type newUser struct {
	Username, Key, Hash, Nickname, Mobile, Avatar, OpenID, SessionKey, Address string
	Gender                                                                     int
	At                                                                         time.Time
}

// insert makes the account, with a token version of its own.
func insert(ctx context.Context, tx *db.Tx, u newUser) (credentialRow, error) {
	row := credentialRow{
		Username: u.Username, Nickname: u.Nickname, Avatar: u.Avatar, Gender: u.Gender, TokenVersion: token.FirstVersion(),
	}
	result := gorm.WithResult()
	err := tx.G(ctx).Clauses(result).Exec("INSERT INTO user (username, username_key, password_hash, nickname, mobile, "+
		"avatar, gender, wx_openid, wx_session_key, token_version, last_login_time, last_login_ip, add_time, update_time) "+
		"VALUES (?, ?, NULLIF(?, ''), ?, NULLIF(?, ''), ?, ?, NULLIF(?, ''), ?, ?, ?, ?, ?, ?)",
		u.Username, u.Key, u.Hash, u.Nickname, u.Mobile, u.Avatar, u.Gender, u.OpenID, u.SessionKey, row.TokenVersion,
		u.At, u.Address, u.At, u.At).Error
	if err != nil {
		return credentialRow{}, fmt.Errorf("insert the account: %w", err)
	}
	if row.ID, err = result.Result.LastInsertId(); err != nil {
		return credentialRow{}, fmt.Errorf("read the id of the account: %w", err)
	}
	return row, upload.Use(ctx, tx, u.Avatar)
}

// Avatars returns the addresses of the pictures of accounts, as they are stored.
func Avatars(ctx context.Context, q db.Querier, shoppers []int64) (list []string, err error) {
	err = q.G(ctx).Raw("SELECT avatar FROM user WHERE id IN ? AND avatar <> ''", shoppers).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read pictures of accounts: %w", err)
	}
	return list, nil
}
