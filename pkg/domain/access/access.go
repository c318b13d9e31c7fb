// Package access owns who may do what in the administration: operators, their roles, what the roles grant, the brake on
// failed logins, and the business log of what operators did. It leaves the decision about one call to the service that
// gets the call, which follows the version that is raised here with every change. Only live, usable operators and live,
// enabled roles ever count.
package access

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/text"
)

// Super is the permission value that implies every other.
const Super = "*"

// superRole is the name of the role that the first operator gets.
const superRole = "超级管理员"

// Operator is a user of the administration.
type Operator struct {
	ID               int64
	Username, Avatar string
	// Locked operators may not log in, and their sessions are over.
	Locked bool
	// TokenVersion is the version that a session must carry to be valid.
	TokenVersion int
	// Roles are the ids of the live roles held, in the order in which they were given.
	Roles []int64
	// LastLoginAddress and LastLogin are empty for an operator who has never logged in.
	LastLoginAddress    string
	LastLogin           time.Time
	AddTime, UpdateTime time.Time
}

// Role is a named set of permission values.
type Role struct {
	ID                  int64
	Name, Description   string
	Enabled             bool
	AddTime, UpdateTime time.Time
}

// Authority is what an operator has right now: the names of the roles that count and the union of their values.
type Authority struct {
	Roles, Values []string
}

// Grants is the whole of who may do what, for a decision in memory.
type Grants struct {
	Holdings []Holding
	Values   []Grant
}

// Equal reports whether two readings say the same; they are in the same order.
func (g Grants) Equal(other Grants) bool {
	return slices.Equal(g.Holdings, other.Holdings) && slices.Equal(g.Values, other.Values)
}

// Holding says that an operator holds a role.
type Holding struct{ Operator, Role int64 }

// Grant says that a role gives a permission value.
type Grant struct {
	Role  int64
	Value string
}

// Key is the form in which login names are compared: trimmed, NFKC, lower case. So the answer depends on no engine's
// collation.
func Key(name string) string { return strings.ToLower(norm.NFKC.String(strings.TrimSpace(name))) }

// checkName holds the form of a login name. It fails with errno.AdminInvalidName.
func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 6 || n > 20 || strings.HasSuffix(name, "_") || strings.ContainsFunc(name, foreign) {
		return errno.AdminInvalidName.Because(text.OperatorName)
	}
	return nil
}

func foreign(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
		return false
	}
	return r < '\u4e00' || r > '\u9fa5'
}
