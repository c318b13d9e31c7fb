// Package account owns the accounts of shoppers: registration, login, profile, and the verification codes sent to their
// mobiles. It owns the table user. A name, a mobile number and an app identity each belong to at most one live account,
// which unique keys enforce.
//
// Addresses, coupons and orders belong to other areas, which lock the shopper through Lock.
package account

import (
	"context"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// account is an account as stored, with its secrets.
type account struct {
	Member

	// UsernameKey is the form in which the login name is compared.
	UsernameKey string
	// PasswordHash is empty for an account without a password.
	PasswordHash string `table:"null"`
	// OpenID is the identity at the app platform, empty for none, and SessionKey the encrypted key of its session there.
	OpenID       string `gorm:"column:wx_openid" table:"null"`
	SessionKey   string `gorm:"column:wx_session_key"`
	TokenVersion int
}

// The table, and the partial reads of it.
var (
	accounts = table.Of[account]("user", table.Versioned, table.Marked,
		table.RefersToNone("wx_openid", "the identity at the app platform"),
	)
	profiles = table.Part[Profile](accounts)
)

// Conditions to find an account; byID has the arguments id and Usable.
const (
	byID     = "r.id = ? AND r.status = ? AND r.deleted = 0"
	byName   = "r.username_key = ? AND r.del_mark = 0"
	byMobile = "r.mobile = ? AND r.del_mark = 0"
	byOpenID = "r.wx_openid = ? AND r.del_mark = 0"
)

func findByID(ctx context.Context, q db.Querier, id int64) (account, bool, error) {
	return accounts.One(ctx, q, byID, id, Usable)
}

// nextVersion ends all tokens of an account.
var nextVersion = gorm.Expr("token_version + 1")

// Profile is what shoppers see of their own account.
type Profile struct {
	ID       int64
	Username string
	Nickname string
	// Mobile is empty if none is bound.
	Mobile string `table:"null"`
	Avatar string
	// Gender is 0 unknown, 1 male, 2 female.
	Gender int
}

// Name returns the name by which the shop addresses the shopper: the nickname, or without one the login name.
func (p Profile) Name() string {
	if p.Nickname == "" {
		return p.Username
	}
	return p.Nickname
}

func (m Member) profile() Profile {
	return Profile{
		ID: m.ID, Username: m.Username, Nickname: m.Nickname, Mobile: m.Mobile, Avatar: m.Avatar, Gender: m.Gender,
	}
}

// Entry is a successful login: the account and its new token.
type Entry struct {
	Profile
	Token string
}

const (
	maxUsername = 63  // characters
	maxKey      = 191 // characters; NFKC can make a text longer
	minPassword = 6   // characters
	maxPassword = 64  // characters
	maxNickname = 63  // characters
)

// Any reports whether an account was ever opened, also one that was deleted.
func (s *Service) Any(ctx context.Context, q db.Querier) (bool, error) {
	return accounts.Exists(ctx, q, "TRUE")
}

// wrongMobile is the refusal of what is no mobile number.
func (s *Service) wrongMobile() error {
	return errno.Invalid.Because(s.cfg.Country.Form("mobile").Refusal, text.FieldMobile)
}

// usernameKey is the form in which login names are compared.
func usernameKey(username string) string { return form.Fold(username) }

// checkUsername checks a login name. A name that looks like a mobile number would shadow that number's owner at login,
// so it must be the registrant's own; a leading # is reserved for accounts of the app platform.
func (s *Service) checkUsername(username, mobile string) error {
	key := usernameKey(username)
	number := s.cfg.Country.Number(key)
	switch {
	case key == "", utf8.RuneCountInString(username) > maxUsername, utf8.RuneCountInString(key) > maxKey,
		strings.HasPrefix(key, "#"), !form.Visible(username),
		s.cfg.Country.Mobile(number) && number != mobile:
		return errno.Invalid.Because(text.UserName)
	}
	return nil
}

func checkPassword(password string) error {
	password = form.Secret(password)
	n := utf8.RuneCountInString(password)
	if n < minPassword || n > maxPassword || len(password) > hashing.MaxBytes {
		return passwordForm(n)
	}
	return nil
}

// passwordForm checks the length of a password in characters and bytes.
func passwordForm(n int) error {
	if n < minPassword || n > maxPassword {
		return errno.Invalid.Because(text.ValidationLength, text.FieldPassword, minPassword, maxPassword)
	}
	return errno.Invalid.Because(text.ValidationMaxBytes, text.FieldPassword, hashing.MaxBytes)
}
