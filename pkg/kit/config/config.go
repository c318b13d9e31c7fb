// Package config loads one checked struct per program from a file and the environment. It defines which of the two
// wins, what is a mistake, and how mistakes are reported; it never prints a value, since a value may be a secret.
//
// The tag key names the key of a field; a nested struct is a section, an embedded one adds its keys to the surrounding
// section. The tag validate contains the rules, the tag default the value of a key that neither source sets:
//
//	type Config struct {
//		Listen string `key:"listen" validate:"required"`
//		MySQL  struct {
//			DSN     string `key:"dsn" validate:"required"`
//			MaxOpen int    `key:"max-open" validate:"min=1" default:"20"`
//		} `key:"mysql"`
//	}
//
// The variable of a key is the prefix, an underscore and the key in capitals, with . and - as _, such as
// STOREFRONT_MYSQL_MAX_OPEN. With _FILE appended it names a file that has the value, as orchestrators hand out secrets.
// An empty variable empties a list, and is ignored for every other key. Unknown variables
// are not a mistake, because orchestrators set some, such as STOREFRONT_SERVICE_HOST; UnknownVariables returns those
// that are probably misspelled.
package config

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

// ValidationErrors are all mistakes of a configuration, one sentence each, without any value.
type ValidationErrors []string

// Error lists the mistakes, one per line.
func (m ValidationErrors) Error() string {
	return "the configuration is wrong:\n  " + strings.Join(m, "\n  ")
}

// Validator is implemented by a configuration with rules that span keys.
type Validator interface {
	// Validate returns one sentence for each mistake.
	Validate() []string
}

// Load reads the YAML file, unless file is empty, and lets the environment override single keys. It fails with
// ValidationErrors for unknown keys, unreadable values and violated rules.
func Load[T any](file, prefix string) (T, error) {
	var c T
	keys := keysOf(reflect.TypeFor[T]())
	v := viper.New()
	if file != "" {
		v.SetConfigFile(file)
		if err := v.ReadInConfig(); err != nil {
			return c, fmt.Errorf("read the configuration: %w", err)
		}
	}
	mistakes := unknown(v, keys)
	v.SetEnvPrefix(prefix)
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_", "-", "_"))
	for _, k := range keys {
		// Without a binding viper uses a variable only if the file contains its key.
		if err := v.BindEnv(k.name); err != nil {
			return c, fmt.Errorf("bind the key %s: %w", k.name, err)
		}
		if k.fallback != "" {
			v.SetDefault(k.name, k.fallback)
		}
	}
	mistakes = append(mistakes, fromFiles(v, prefix, keys)...)
	unread := decode(v, keys, &c)
	empty(prefix, keys, &c)
	mistakes = append(mistakes, unread...)
	mistakes = append(mistakes, broken(&c, unread)...)
	if own, ok := any(&c).(Validator); ok && len(mistakes) == 0 {
		mistakes = append(mistakes, own.Validate()...)
	}
	if len(mistakes) > 0 {
		return c, ValidationErrors(mistakes)
	}
	return c, nil
}

// Check loads a configuration like Load and returns only the mistakes.
func Check[T any](file, prefix string) error {
	_, err := Load[T](file, prefix)
	return err
}

// unknown returns the keys of the file that the struct lacks.
func unknown(v *viper.Viper, keys []key) []string {
	var out []string
	names := v.AllKeys()
	slices.Sort(names)
	for _, name := range names {
		if !slices.ContainsFunc(keys, func(k key) bool { return k.name == name }) {
			out = append(out, name+": unknown key")
		}
	}
	return out
}

// decode decodes key by key, so that one unreadable value hides no other.
func decode[T any](v *viper.Viper, keys []key, into *T) []string {
	var out []string
	for _, k := range keys {
		value := v.Get(k.name)
		if value == nil {
			continue
		}
		target := reflect.ValueOf(into).Elem().FieldByIndex(k.index)
		d, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
			Result: target.Addr().Interface(), WeaklyTypedInput: true,
			DecodeHook: mapstructure.ComposeDecodeHookFunc(duration, list, mapstructure.TextUnmarshallerHookFunc()),
		})
		if err == nil {
			err = d.Decode(value)
		}
		if err != nil {
			out = append(out, fmt.Sprintf("%s: not %s", k.name, kindName(target.Type())))
		}
	}
	return out
}

// empty clears every list whose variable is set to nothing.
func empty[T any](prefix string, keys []key, into *T) {
	for _, k := range keys {
		target := reflect.ValueOf(into).Elem().FieldByIndex(k.index)
		if text, set := os.LookupEnv(variable(prefix, k.name)); set && text == "" && target.Kind() == reflect.Slice {
			target.SetZero()
		}
	}
}

// key is one leaf of the struct.
type key struct {
	name, fallback string
	rules          string // of the validator
	index          []int
}

func keysOf(t reflect.Type) []key {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("configuration %s is not a struct", t))
	}
	return leaves(t, "", nil)
}

// leaves panics on a field without a key, which is a mistake of the declaration.
func leaves(t reflect.Type, section string, prefix []int) []key {
	var out []key
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(prefix), i)
		name, tagged := f.Tag.Lookup("key")
		switch {
		case f.Anonymous && !tagged:
			out = append(out, leaves(f.Type, section, index)...)
		case !tagged || name == "" || !f.IsExported() || name != strings.ToLower(name):
			panic(fmt.Sprintf("field %s.%s needs a key in lower case", t, f.Name))
		case f.Type.Kind() == reflect.Struct && !isText(f.Type):
			out = append(out, leaves(f.Type, section+name+".", index)...)
		default:
			out = append(out, key{
				name: section + name, fallback: f.Tag.Get("default"), rules: f.Tag.Get("validate"), index: index,
			})
		}
	}
	return out
}
