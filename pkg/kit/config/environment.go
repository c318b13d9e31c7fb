package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/viper"
)

// UnknownVariable is an environment variable with the prefix of a program that matches no key.
type UnknownVariable struct {
	// Name is the variable, Nearest the most similar variable of a key. Values are never reported.
	Name, Nearest string
}

// variable returns the variable that overrides a key.
func variable(prefix, key string) string {
	return prefix + "_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// fileVariable is the variable that names the configuration file.
func fileVariable(prefix string) string { return prefix + "_CONFIG" }

// fromFiles sets each key whose variable with _FILE appended names a file to the text in it, without the line feed at
// its end. It returns a sentence for each file that cannot be read and for each key that is set twice.
func fromFiles(v *viper.Viper, prefix string, keys []key) []string {
	var wrong []string
	for _, k := range keys {
		plain := variable(prefix, k.name)
		name := plain + fileSuffix
		file := os.Getenv(name)
		if file == "" || isVariable(prefix, name, keys) {
			continue
		}
		if os.Getenv(plain) != "" {
			wrong = append(wrong, fmt.Sprintf("%s: set one of %s and %s, not both", k.name, plain, name))
			continue
		}
		text, err := os.ReadFile(file) //nolint:gosec // G304, G703: whoever starts the program names its files
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: the file that %s names cannot be read: %v", k.name, name, err))
			continue
		}
		v.Set(k.name, strings.TrimRight(string(text), "\r\n"))
	}
	return wrong
}

// fileSuffix turns the variable of a key into that of a file with its value.
const fileSuffix = "_FILE"

// isVariable reports whether a name is the variable of a key itself, such as that of sms.file.
func isVariable(prefix, name string, keys []key) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return variable(prefix, k.name) == name })
}

// UnknownVariables returns the variables of an environment, each as NAME=value, that begin with the prefix and match no
// key of T. The variables that an orchestrator sets for each of its services, such as STOREFRONT_SERVICE_HOST, are
// ignored.
func UnknownVariables[T any](prefix string, environment []string) []UnknownVariable {
	known := []string{fileVariable(prefix)}
	for _, k := range keysOf(reflect.TypeFor[T]()) {
		known = append(known, variable(prefix, k.name))
	}
	for _, name := range known[1:] {
		known = append(known, name+fileSuffix)
	}
	var found []UnknownVariable
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, prefix+"_") || slices.Contains(known, name) || orchestrators(name, value) {
			continue
		}
		found = append(found, UnknownVariable{Name: name, Nearest: nearest(name, known[1:])})
	}
	slices.SortFunc(found, func(a, b UnknownVariable) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// ofService matches the variables that Kubernetes derives from the name and the ports of a service.
var (
	ofService = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|` +
		`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)
	ofPort = regexp.MustCompile(`^(tcp|udp|sctp)://`)
)

// orchestrators reports whether Kubernetes sets a variable. NAME_PORT counts only with the address of a service, since
// a person who sets it means something else.
func orchestrators(name, value string) bool {
	return ofService.MatchString(name) || strings.HasSuffix(name, "_PORT") && ofPort.MatchString(value)
}

// nearest returns the name with the smallest edit distance.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// distance is the edit distance of two texts.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// File returns the configuration file of a program without a flag: the one named by the variable PREFIX_CONFIG, else
// the shipped file in the folder of the program or one above it, else "" for the defaults, which equal the shipped
// file. The working directory does not matter.
func File(prefix, shipped string) string {
	if named := os.Getenv(fileVariable(prefix)); named != "" {
		return named
	}
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	return above(filepath.Dir(program), shipped)
}

// above finds a file in a folder or one above it.
func above(folder, shipped string) string {
	for {
		file := filepath.Join(folder, shipped)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
		next := filepath.Dir(folder)
		if next == folder {
			return ""
		}
		folder = next
	}
}
