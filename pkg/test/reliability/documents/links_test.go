package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"shop.internal/pkg/test/reliability/stack"
)

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
)

// anchors are the fragments of a page, as GitHub names its headings.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		title := strings.ToLower(link.ReplaceAllString(m[1], "]"))
		names[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return r
			}
			return -1
		}, title)] = true
	}
	return names
}

// TestLinksLeadSomewhere looks up what the pages link to in the project: pages, their headings, pictures and files. It
// also holds the format of pages: lines that end without blanks, and a last line that ends.
func TestLinksLeadSomewhere(t *testing.T) {
	root, err := stack.ProjectRoot()
	must(t, err)
	list, err := exec.Command("git", "-C", root, "ls-files", "*.md").Output()
	must(t, err)
	looked := 0
	for _, page := range strings.Fields(string(list)) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		}
		must(t, err)
		looked += linksOf(t, root, page, string(text))
		if !strings.HasSuffix(string(text), "\n") || regexp.MustCompile(`(?m)[ \t]+$`).Match(text) {
			t.Errorf("%s: a line ends with a blank, or the last one does not end", page)
		}
	}
	if looked < 100 {
		t.Errorf("only %d links were looked up", looked)
	}
}

func linksOf(t *testing.T, root, page, text string) (looked int) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(fence.ReplaceAllString(text, ""), ""), -1) {
		if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
			continue
		}
		looked++
		to, fragment, _ := strings.Cut(m[1], "#")
		target, err := []byte(text), error(nil)
		if to != "" {
			file := filepath.Join(root, filepath.Dir(page), to)
			if info, statErr := os.Stat(file); statErr != nil || !info.IsDir() {
				target, err = os.ReadFile(file)
			}
		}
		if err != nil {
			t.Errorf("%s: the link %s leads nowhere", page, m[1])
		} else if fragment != "" && !anchors(string(target))[fragment] {
			t.Errorf("%s: %s has no heading of the link %s", page, to, m[1])
		}
	}
	return looked
}
