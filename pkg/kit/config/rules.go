package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-playground/validator/v10"
)

// secretBytes is the minimum length of a secret, that of SHA-256.
const secretBytes = 32

// published are words of published examples, which must not be used as secrets.
var published = []string{
	"change-me", "changeme", "change_me", "replace-me", "replaceme", "your-secret", "yoursecret", "my-secret", "mysecret",
	"example", "placeholder", "insecure", "password", "secret-key", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz",
	"litemall", "qmplus", "correct-horse", "correct horse",
}

// broken returns a sentence for each violated rule, except for unreadable keys.
func broken(c any, unread []string) []string {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		if name, tagged := f.Tag.Lookup("key"); tagged {
			return name
		}
		return embedded
	})
	secret := func(f validator.FieldLevel) bool { return strong(f.Field().String()) }
	if err := v.RegisterValidation("secret", secret); err != nil {
		panic(err)
	}
	var fields validator.ValidationErrors
	if err := v.Struct(c); err == nil || !errors.As(err, &fields) {
		return nil
	}
	var out []string
	for _, f := range fields {
		name := keyName(f.Namespace())
		if !slices.ContainsFunc(unread, func(s string) bool { return strings.HasPrefix(s, name+":") }) {
			out = append(out, name+": "+sentence(f))
		}
	}
	return out
}

// strong refuses secrets that are short, published, or consist of a few characters.
func strong(secret string) bool {
	if len(secret) < secretBytes {
		return false
	}
	low := strings.ToLower(secret)
	if slices.ContainsFunc(published, func(word string) bool { return strings.Contains(low, word) }) {
		return false
	}
	distinct := map[byte]bool{}
	for i := range len(secret) {
		distinct[secret[i]] = true
	}
	return len(distinct) >= 10
}

// embedded stands for an embedded struct in a validator's path.
const embedded = "~"

// keyName removes the names of structs without a key from a validator's path.
func keyName(namespace string) string {
	parts := strings.Split(namespace, ".")[1:]
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == embedded })
	return strings.Join(parts, ".")
}

func sentence(f validator.FieldError) string {
	unit := ""
	if f.Kind() == reflect.String {
		unit = " characters"
	}
	switch f.Tag() {
	case "required", "required_if", "required_with", "required_unless":
		return "is missing"
	case "secret":
		return fmt.Sprintf("needs at least %d random bytes; values from examples are refused", secretBytes)
	case "oneof":
		return "is none of " + strings.ReplaceAll(f.Param(), " ", ", ")
	case "min", "gte":
		if f.Kind() == reflect.Slice && f.Param() == "1" {
			return "is missing"
		}
		return "is below " + f.Param() + unit
	case "max", "lte":
		return "is above " + f.Param() + unit
	case "url", "http_url":
		return "is no address such as https://host/path"
	case "hostname_port":
		return "is no host:port"
	default:
		return "breaks the rule " + strings.TrimSuffix(f.Tag()+"="+f.Param(), "=")
	}
}
