package db

import (
	"strings"

	"shop.internal/pkg/base/form"
)

// Matches returns the condition that expressions contain all words of a text, in any order and case, each word in one
// of the expressions, and its arguments. It is compared binary: the collation of the tables takes one emoji for
// another, one rare character for another, and é for e.
func Matches(text string, expressions ...string) (condition string, args []any) {
	condition = "1 = 1"
	for _, spellings := range form.Words(text) {
		one, of := Contains(spellings, expressions...)
		condition, args = condition+" AND ("+one+")", append(args, of...)
	}
	return strings.TrimPrefix(condition, "1 = 1 AND "), args
}

// Contains returns the condition that one of some expressions contains one of some texts, in any case, and its
// arguments.
func Contains(texts []string, expressions ...string) (condition string, args []any) {
	var ways []string
	for _, e := range expressions {
		for _, t := range texts {
			ways, args = append(ways, like(e)), append(args, "%"+literal.Replace(t)+"%")
		}
	}
	return strings.Join(ways, " OR "), args
}

// Lower is an expression in lower case that is compared binary.
func Lower(expression string) string { return "LOWER(" + expression + ") COLLATE utf8mb4_bin" }

// Begins returns the condition that an expression begins with a text, in any case, and its argument.
func Begins(text, expression string) (condition string, arg any) {
	return like(expression), literal.Replace(form.Fold(text)) + "%"
}

func like(expression string) string { return Lower(expression) + " LIKE LOWER(?)" }

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
