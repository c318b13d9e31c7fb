// Package form has the rules for texts of people. Clean is how they are stored, Fold how they are compared, Secret how
// passwords are hashed; mobile numbers and codes have a cleaning of their own. It also validates addresses of pages and
// pictures.
package form

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxWebAddress bounds the characters of an entered web address.
const MaxWebAddress = 255

// Schemes are the allowed schemes of addresses.
func Schemes() []string { return []string{"http", "https"} }

// Web reports whether a text is an http or https address that a browser and this program parse alike: with a host,
// without a user, and without characters that browsers drop or convert.
func Web(t string) bool { return utf8.RuneCountInString(t) <= MaxWebAddress && web(t) }

// Link reports whether a text is allowed where a client opens an address or shows a picture: a web address, or
// something relative to the shop, such as a path, the id of goods, or a page of an app. Other schemes, and other hosts
// without a scheme, are refused. The empty text is allowed.
func Link(t string) bool {
	return Harmless(t) && (!absolute(t) || utf8.RuneCountInString(t) <= MaxWebAddress)
}

// Harmless is Link without a limit of length, for addresses that are stored already or part of a text.
func Harmless(t string) bool {
	if absolute(t) {
		return web(t)
	}
	return plain(t) && !strings.HasPrefix(t, "//")
}

// Shown returns a stored address if it is harmless, else "". Earlier releases stored unchecked addresses, and so may
// somebody with access to the database.
func Shown(t string) string {
	if Harmless(t) {
		return t
	}
	return ""
}

// absolute reports whether an address has a scheme.
func absolute(t string) bool {
	i := strings.IndexAny(t, ":/?#")
	return i >= 0 && t[i] == ':'
}

func web(t string) bool {
	if !plain(t) {
		return false
	}
	u, err := url.Parse(t)
	return err == nil && slices.Contains(Schemes(), u.Scheme) && u.User == nil && host(u.Hostname())
}

// host refuses what browsers refuse in the name of a host, such as a fraction slash, which looks like a path.
func host(t string) bool {
	return t != "" && !strings.ContainsFunc(t, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-._:", r)
	})
}

// plain refuses what browsers parse differently from its appearance: control and invisible characters, which they drop,
// backslashes, which they treat as slashes, and blanks around the text.
func plain(t string) bool {
	return !strings.ContainsFunc(t, func(r rune) bool {
		return r == '\\' || r == utf8.RuneError || r != ' ' && unicode.IsSpace(r) || invisible(r)
	}) && strings.TrimSpace(t) == t
}
