package op

type accessKind int

const (
	undeclared accessKind = iota
	public
	optional
	signedIn
	permitted
)

// Access says who may call. The zero Access is no answer and is refused at start.
type Access struct {
	kind accessKind
	// Permission is set by Permit alone.
	Permission Permission
}

// The three answers without a permission.
var (
	// Public lets everybody in and looks at no token.
	Public = Access{kind: public}
	// Optional lets everybody in; a valid token makes the caller known.
	Optional = Access{kind: optional}
	// SignedIn asks for a valid token.
	SignedIn = Access{kind: signedIn}
)

// Permit admits operators that hold the permission value, which has the form admin:<area>:<action>.
func Permit(value string, menu Menu, button Label) Access {
	return Access{kind: permitted, Permission: Permission{Value: value, Menu: menu, Button: button}}
}

// SharedPermit guards a further operation by a value that another operation has declared, without an entry of its own.
func SharedPermit(value string) Access {
	return Access{kind: permitted, Permission: Permission{Value: value}}
}

// Aka lets the permission also be granted under another value, which an older program has stored.
func (a Access) Aka(alias string) Access {
	a.Permission.Alias = alias
	return a
}

// Shared reports whether the permission is another operation's.
func (a Access) Shared() bool { return a.kind == permitted && a.Permission.Button == Label{} }

// NeedsToken reports whether a call without a valid token is refused.
func (a Access) NeedsToken() bool { return a.kind == signedIn || a.kind == permitted }

// String names the access for the API document.
func (a Access) String() string {
	return [...]string{"undeclared", "public", "optional", "token", "permission"}[a.kind]
}

// Permission is a value with its place on the role page.
type Permission struct {
	Value string
	// Alias is taken for Value where somebody grants it, "" for none. Nothing is ever stored or decided under it.
	Alias  string
	Menu   Menu
	Button Label
}

// Menu is the place of an operation in the console: a group of pages, and the page.
type Menu struct{ Group, Page Label }

// Label is a text in both languages; Slug is its part of a stable id and empty for buttons.
type Label struct{ Slug, EN, ZH string }
