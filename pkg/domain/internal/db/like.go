package db

import "strings"

// Contains returns the LIKE pattern for texts that contain a text, with wildcards escaped.
func Contains(text string) string { return "%" + literal.Replace(text) + "%" }

var literal = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
