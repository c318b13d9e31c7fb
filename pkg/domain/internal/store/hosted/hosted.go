// Package hosted tells the files that the shop serves from what lies elsewhere. Tables hold the keys of the shop's own
// files; people and clients get addresses: the base address of today followed by the key. So a shop can move to another
// domain without a change of its rows.
package hosted

import (
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// A key has KeyLength of Letters, a dot and an extension.
const (
	KeyLength = 20
	Letters   = "abcdefghijklmnopqrstuvwxyz234567"
)

// The keys of the built-in pictures, which no upload gets.
const (
	ShopperPicture  = "avatar.shopper.png"
	OperatorPicture = "avatar.operator.png"
)

// begins reports whether a text is a key, or an address whose path is one.
func begins(t string) bool {
	if t == ShopperPicture || t == OperatorPicture {
		return true
	}
	if len(t) <= KeyLength+1 || t[KeyLength] != '.' || strings.Trim(t[:KeyLength], Letters) != "" {
		return false
	}
	rest := strings.TrimLeft(t[KeyLength+1:], "abcdefghijklmnopqrstuvwxyz0123456789")
	return len(rest) < len(t)-KeyLength-1 && (rest == "" || rest[0] == '?' || rest[0] == '#')
}

// Bases are the base addresses of a shop's files. A nil one changes nothing.
type Bases struct {
	now string
	// own are the bases of today and of earlier.
	own   []string
	inRef *regexp.Regexp
	clock func() time.Time
	// from is the time in milliseconds from which keys are stored; before, whole addresses are.
	from atomic.Int64
}

// New returns the bases of a shop that stores keys: the address of today, to which keys are appended, and those under
// which it has served its files before.
func New(now string, earlier []string, clock func() time.Time) *Bases {
	b := &Bases{now: now, clock: clock}
	for _, base := range append([]string{now}, earlier...) {
		if base != "" && !slices.Contains(b.own, base) {
			b.own = append(b.own, base)
		}
	}
	quoted := make([]string, len(b.own))
	for i, base := range b.own {
		quoted[i] = regexp.QuoteMeta(base)
	}
	b.inRef = regexp.MustCompile(`(\s(?i:src|href)\s*=\s*["'])(?:` + strings.Join(append(quoted, ""), "|") +
		`)((?:[a-z2-7]{20}\.[a-z0-9]+|avatar\.(?:shopper|operator)\.png)["'?#])`)
	return b
}

// StoreKeysFrom sets the time from which keys are stored. Until then addresses are stored whole, because the release
// before this one, which may run beside it, cannot read keys.
func (b *Bases) StoreKeysFrom(at time.Time) { b.from.Store(at.UnixMilli()) }

// StoresKeys reports whether keys are stored by now.
func (b *Bases) StoresKeys() bool { return b != nil && b.clock().UnixMilli() >= b.from.Load() }

// Own returns the bases in a fixed order, for what has to notice that they have changed.
func (b *Bases) Own() []string { return slices.Sorted(slices.Values(b.own)) }

// Shown returns the address for what is stored or was sent: that of today for a key, and for an address of earlier.
// What is not the shop's own stays.
func (b *Bases) Shown(stored string) string {
	if name, own := b.cut(stored); own {
		return b.now + name
	}
	return stored
}

// Stored returns what is stored for an address or a key: the key for the shop's own.
func (b *Bases) Stored(shown string) string {
	name, own := b.cut(shown)
	switch {
	case !own:
		return shown
	case b.StoresKeys():
		return name
	}
	return b.now + name
}

// Forms returns all texts that may be stored for an address.
func (b *Bases) Forms(shown string) []string {
	name, own := b.cut(shown)
	if !own {
		return []string{shown}
	}
	forms := []string{name}
	for _, base := range b.own {
		forms = append(forms, base+name)
	}
	return forms
}

// cut returns the key of one of the shop's own files.
func (b *Bases) cut(t string) (string, bool) {
	if b == nil || t == "" {
		return "", false
	}
	if begins(t) {
		return t, true
	}
	for _, base := range b.own {
		if name, ok := strings.CutPrefix(t, base); ok && begins(name) {
			return name, true
		}
	}
	return "", false
}

// ShownIn is Shown for the addresses in HTML.
func (b *Bases) ShownIn(html string) string {
	if b == nil {
		return html
	}
	return b.inRef.ReplaceAllString(html, "${1}"+strings.ReplaceAll(b.now, "$", "$$")+"${2}")
}

// StoredIn is Stored for the addresses in HTML.
func (b *Bases) StoredIn(html string) string {
	if b == nil || !b.StoresKeys() {
		return b.ShownIn(html)
	}
	return b.inRef.ReplaceAllString(html, "${1}${2}")
}
