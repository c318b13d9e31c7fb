package text

import "strings"

// What the console calls its pages and buttons, and the actions of the business log. The declarations of operations
// choose among them by name, and stop the program at its start if the catalogue lacks one.
var (
	menus   = family("menu.")
	buttons = family("button.")
	actions = family("action.")
)

// carriers are the names of those that a shop has unless it configures others.
var carriers = family("carrier.")

// ForCarrier returns the name of a carrier by its code, and the code for one whose name is the same in every language.
func ForCarrier(code string) *Text {
	if t, known := carriers[strings.ReplaceAll(strings.ToLower(code), "_", "-")]; known {
		return t
	}
	return Literal(code)
}

// ForMenu returns the name of a group of pages, or of a page, such as "user.address".
func ForMenu(name string) *Text { return chosen(menus, "menu", name) }

// ForButton returns the words on a button, such as "put-on-sale".
func ForButton(name string) *Text { return chosen(buttons, "button", name) }

// ForAction returns what the business log calls an action, such as "order-ship".
func ForAction(name string) *Text { return chosen(actions, "action", name) }

func chosen[T any](among map[string]T, kind, name string) T {
	t, known := among[name]
	if !known {
		panic("the catalogue of texts has no " + kind + " " + name)
	}
	return t
}
