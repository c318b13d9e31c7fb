// Package account owns the shoppers: how they register, prove who they are and change their profile, and the codes
// that are sent to their mobiles. It owns the table user. A name, a mobile number and an app identity belong to one
// living account at most, which the unique keys of the table hold, whoever comes first.
//
// What a shopper possesses (addresses, coupons, orders) is for other areas; they lock the shopper through Lock.
package account

import (
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/form"
	"shop.internal/pkg/domain/text"
)

// Profile is what shoppers see of their own account.
type Profile struct {
	ID       int64
	Username string
	Nickname string
	// Mobile is empty where none is bound.
	Mobile string
	Avatar string
	// Gender is 0 unknown, 1 male, 2 female.
	Gender int
}

// Name returns the name by which the shop addresses the shopper: the nickname, or the login name where there is none.
func (p Profile) Name() string {
	if p.Nickname == "" {
		return p.Username
	}
	return p.Nickname
}

// Person is what other shoppers may see of an account, and nothing more.
type Person struct{ Nickname, Avatar string }

// Changes are the changes to a profile; what is empty or nil stays as it is.
type Changes struct {
	Nickname, Avatar string
	Gender           *int
}

// Entry is a successful login: the account and its new token.
type Entry struct {
	Profile
	Token string
}

const (
	maxUsername  = 63  // characters
	maxKey       = 191 // characters; NFKC can make a text longer
	minPassword  = 6   // characters
	maxPassword  = 64  // characters
	passwordSize = 72  // bytes: bcrypt looks at no more
	maxNickname  = 63  // characters
)

// usernameKey is the form in which login names are compared: trimmed, NFKC, lower case. It is trimmed again, because
// NFKC turns some characters into blanks and the column ignores trailing ones.
func usernameKey(username string) string {
	return strings.ToLower(strings.TrimSpace(norm.NFKC.String(strings.TrimSpace(username))))
}

// checkUsername holds the rules of login names. A name that looks like a mobile number would shadow that number's
// owner at login, so it must be the registrant's own; a leading # is kept for accounts made by the app platform.
func checkUsername(username, mobile string) error {
	key := usernameKey(username)
	switch {
	case key == "", utf8.RuneCountInString(username) > maxUsername, utf8.RuneCountInString(key) > maxKey,
		strings.HasPrefix(key, "#"), !form.Visible(username),
		isMobile(key) && key != mobile:
		return errno.Invalid.Because(text.UserName)
	}
	return nil
}

func checkPassword(password string) error {
	n := utf8.RuneCountInString(password)
	if n < minPassword || n > maxPassword || len(password) > passwordSize {
		return passwordForm(n)
	}
	return nil
}

// passwordForm refuses a password of n characters that is too short, too long, or too many bytes.
func passwordForm(n int) error {
	if n < minPassword || n > maxPassword {
		return errno.Invalid.Because(text.MemberLength, text.Member("password"), minPassword, maxPassword)
	}
	return errno.Invalid.Because(text.MemberBytes, text.Member("password"), passwordSize)
}

// isMobile reports whether a text has the form of a mobile number: 1 and ten more digits.
func isMobile(t string) bool {
	return len(t) == 11 && t[0] == '1' && strings.Trim(t, "0123456789") == ""
}

func (c Changes) check() error {
	switch {
	case utf8.RuneCountInString(c.Nickname) > maxNickname:
		return errno.Invalid.Because(text.MemberLong, text.Member("nickName"), maxNickname)
	case !form.Visible(c.Nickname):
		return errno.Invalid.Because(text.MemberVisible, text.Member("nickName"))
	case c.Avatar != "" && !form.Web(c.Avatar):
		return errno.Invalid.Because(text.MemberLink, text.Member("avatar"))
	case c.Gender != nil && (*c.Gender < 0 || *c.Gender > 2):
		return errno.Invalid.Because(text.MemberOneOf, text.Member("gender"), "0, 1, 2")
	}
	return nil
}

// utc cuts a time to what the columns hold.
func utc(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
