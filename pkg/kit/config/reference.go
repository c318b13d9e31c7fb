package config

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reference writes a page about every key of T: the variable that overrides it, its default, its bounds, and its
// meaning, which is the comment above it in the shipped file. It fails for a key without one.
func Reference[T any](w io.Writer, title, file, prefix string) error {
	text, err := os.ReadFile(file) //nolint:gosec // its caller names it
	if err != nil {
		return fmt.Errorf("read the shipped file: %w", err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("read the shipped file: %w", err)
	}
	meanings := map[string]string{}
	for _, root := range document.Content {
		comments(root, "", "", meanings)
	}
	var page strings.Builder
	fmt.Fprintf(&page, "# %s\n\nGenerated from the program (`make docs`). A variable overrides the file; its name with\n"+
		"`_FILE` names a file that holds the value.\n", title)
	section := "."
	for _, k := range keysOf(reflect.TypeFor[T]()) {
		meaning := meanings[k.name]
		if meaning == "" {
			return fmt.Errorf("%s has no comment in %s", k.name, file)
		}
		if first, _, _ := strings.Cut(k.name, "."); first != section {
			section = first
			fmt.Fprintf(&page, "\n## %s\n\n| key | variable | default | bounds | meaning |\n|---|---|---|---|---|\n", section)
		}
		fmt.Fprintf(&page, "| `%s` | `%s` | %s | %s | %s |\n", k.name, variable(prefix, k.name), code(k.fallback), k.bounds(),
			strings.ReplaceAll(meaning, "|", "\\|"))
	}
	_, err = io.WriteString(w, page.String())
	return err
}

// comments collects the comments above the keys of a mapping. A key without one of its own has that of the key before
// it, or of its section: comments may be about several keys.
func comments(mapping *yaml.Node, section, inherited string, into map[string]string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		name, value := mapping.Content[i], mapping.Content[i+1]
		if own := sentences(name.HeadComment); own != "" {
			inherited = own
		}
		if value.Kind == yaml.MappingNode {
			comments(value, section+name.Value+".", inherited, into)
			continue
		}
		into[section+name.Value] = inherited
	}
}

// sentences is a comment without its marks, of its last paragraph: earlier ones are about the whole file.
func sentences(comment string) string {
	paragraphs := strings.Split(strings.TrimSpace(comment), "\n\n")
	lines := strings.Split(paragraphs[len(paragraphs)-1], "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// bounds says which values a key takes.
func (k key) bounds() string {
	var all []string
	for rule := range strings.SplitSeq(k.rules, ",") {
		name, value, _ := strings.Cut(rule, "=")
		switch name {
		case "required":
			all = append(all, "required")
		case "min", "gte":
			all = append(all, "at least "+code(value))
		case "gt":
			all = append(all, "above "+code(value))
		case "max", "lte":
			all = append(all, "at most "+code(value))
		case "oneof":
			all = append(all, strings.Join(strings.Fields(code(strings.ReplaceAll(value, " ", "` `"))), ", "))
		case "secret":
			all = append(all, fmt.Sprintf("at least %d random bytes", secretBytes))
		case "url", "http_url":
			all = append(all, "an address such as `https://host/path`")
		case "hostname_port":
			all = append(all, "`host:port`")
		case "required_if", "required_unless", "required_with":
			all = append(all, "required with other keys")
		case "", "omitempty", "dive":
		default:
			all = append(all, code(rule))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "–")
}

func code(value string) string {
	if value == "" {
		return "empty"
	}
	return "`" + value + "`"
}
