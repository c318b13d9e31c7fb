package db

import "strings"

// Contains returns the pattern by which LIKE finds a text inside another: what the text means to LIKE is taken from it.
func Contains(text string) string { return "%" + literal.Replace(text) + "%" }

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
