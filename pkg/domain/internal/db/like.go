package db

import (
	"strings"

	"shop.internal/pkg/domain/platform/form"
)

// Matches returns the condition that expressions contain all words of a text, in any order and case, each word in one
// of the expressions, and its arguments. It is compared binary: the collation of the tables takes one emoji for
// another, one rare character for another, and é for e.
func Matches(text string, expressions ...string) (condition string, args []any) {
	condition = "1 = 1"
	for _, spellings := range form.Words(text) {
		var ways []string
		for _, e := range expressions {
			for _, s := range spellings {
				ways, args = append(ways, like(e)), append(args, "%"+literal.Replace(s)+"%")
			}
		}
		condition += " AND (" + strings.Join(ways, " OR ") + ")"
	}
	return strings.TrimPrefix(condition, "1 = 1 AND "), args
}

// Lower is an expression in lower case that is compared binary.
func Lower(expression string) string { return "LOWER(" + expression + ") COLLATE utf8mb4_bin" }

// Begins returns the condition that an expression begins with a text, in any case, and its argument.
func Begins(text, expression string) (condition string, arg any) {
	return like(expression), literal.Replace(form.Fold(text)) + "%"
}

func like(expression string) string { return Lower(expression) + " LIKE LOWER(?)" }

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
