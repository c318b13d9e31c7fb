package op

type accessKind int

const (
	undeclared accessKind = iota
	public
	optional
	signedIn
	permitted
)

// Access declares who may call. The zero Access is invalid and stops the program at start.
type Access struct {
	kind accessKind
	// Permission is set by Permit only.
	Permission Permission
}

// The kinds of access without a permission.
var (
	// Public allows everybody and ignores tokens.
	Public = Access{kind: public}
	// Optional allows everybody; a valid token identifies the caller.
	Optional = Access{kind: optional}
	// SignedIn requires a valid token.
	SignedIn = Access{kind: signedIn}
)

// Permit requires a permission value of the form <realm>:<area>:<action>. Page and button are where the operation is
// found on the screen.
func Permit(value string, page, button Place) Access {
	return Access{kind: permitted, Permission: Permission{Value: value, Page: page, Button: button}}
}

// SharedPermit requires the permission of another operation, without an entry of its own.
func SharedPermit(value string) Access {
	return Access{kind: permitted, Permission: Permission{Value: value}}
}

// WithAlias lets the permission also be granted under an alias that older programs have stored.
func (a Access) WithAlias(alias string) Access {
	a.Permission.Alias = alias
	return a
}

// Shared reports whether the permission is another operation's.
func (a Access) Shared() bool { return a.kind == permitted && a.Permission.Button == nil }

// NeedsToken reports whether a call without a valid token is refused.
func (a Access) NeedsToken() bool { return a.kind == signedIn || a.kind == permitted }

// String names the access for the API document.
func (a Access) String() string {
	return [...]string{"undeclared", "public", "optional", "token", "permission"}[a.kind]
}

// Permission is a permission value with its place on the screen.
type Permission struct {
	Value string
	// Alias can be granted in place of Value, "" for none. It is never stored or checked.
	Alias string
	// Page and Button are nil in a shared permission. No two permissions have the same.
	Page, Button Place
}

// Place is a page or a button of a service, in the service's words. Places are compared.
type Place interface {
	// String names the place in mistakes of declarations.
	String() string
}
