package documents

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shop.internal/pkg/test/reliability/stack"
)

// names looks up what a page names in code: a block, or a span of a line.
type names struct {
	*testing.T

	root, programs string
	help           map[string]string // by the command, "" for one that does not exist
	targets        []string          // of make
}

var (
	fence    = regexp.MustCompile("(?ms)^ *```[a-z]*\n(.*?)^ *```$")
	span     = regexp.MustCompile("`([^`\n]+)`")
	made     = regexp.MustCompile(`(?m)(?:^|[\s;&|(])make ([a-z][a-z0-9-]*)`)
	called   = regexp.MustCompile(`(?m)(?:^|[\s;&|(]|bin/)(shopctl|storefront|admin)((?: +[^\s;&|()#<>]+)+)`)
	path     = regexp.MustCompile(`(?:^|[\s"'(=])((?:deploy|docs|pkg|services|migrations)/[\w./{},*-]*\w)`)
	variable = regexp.MustCompile(`\b(STOREFRONT|ADMIN)_([A-Z0-9][A-Z0-9_]*[A-Z0-9])\b`)
	word     = regexp.MustCompile(`^[a-z][a-z-]*$`)
	flagged  = regexp.MustCompile(`^--?([a-z][a-z-]*)`)
	target   = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
)

// others are variables that are none of the configuration's, and paths that a reader makes.
var (
	others = []string{"STOREFRONT_CONFIG", "ADMIN_CONFIG", "STOREFRONT_SERVICE_HOST", "STOREFRONT_URL", "ADMIN_URL", "ADMIN_PORT"}
	theirs = []string{"deploy/secrets", "deploy/.env", "deploy/kubernetes/overlays/shop", "migrations/NNNN_"}
)

// built are the programs of this checkout, as they are delivered.
func built(t *testing.T) stack.Release {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	r := stack.Release{Root: root, Programs: os.Getenv("SHOP_BIN")}
	if r.Programs == "" {
		r.Programs = filepath.Join(root, ".local/reliability/bin")
		build(t, r.Programs)
	}
	return r
}

// build builds the programs as they are delivered into a folder.
func build(t *testing.T, into string, env ...string) {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(root, "deploy/local/build.sh"),
		"./services/storefront/cmd/storefront", "./services/admin/cmd/admin", "./services/admin/cmd/shopctl")
	cmd.Env = slices.Concat(os.Environ(), []string{"OUT=" + into, "GOWORK=" + filepath.Join(root, "go.work")}, env)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the programs do not build: %v\n%s", err, out)
	}
}

// TestEveryProgramHasAVersion that says when it was made: a tag or a date, not a commit alone.
func TestEveryProgramHasAVersion(t *testing.T) {
	r := built(t)
	for _, name := range []string{"storefront", "admin", "shopctl"} {
		said, err := exec.CommandContext(t.Context(), filepath.Join(r.Programs, name), "--version").CombinedOutput()
		must(t, err)
		if !regexp.MustCompile("^" + name + ` (v\d|\d{4}-\d\d-\d\d)[^ ]*( \(.+\))?\n$`).Match(said) {
			t.Errorf("%s has no version: %s", name, said)
		}
	}
}

// TestWhatThePagesNameExists looks up the commands, flags, targets of make, files and variables in all pages.
func TestWhatThePagesNameExists(t *testing.T) {
	r := built(t)
	root := r.Root
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	must(t, err)
	n := names{T: t, root: root, programs: r.Programs, help: map[string]string{}}
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		n.targets = append(n.targets, m[1])
	}
	looked := n.page("README.md")
	must(t, filepath.WalkDir(filepath.Join(root, "docs"), func(file string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".md") {
			name, _ := filepath.Rel(root, file)
			looked += n.page(name)
		}
		return err
	}))
	if looked < 300 {
		t.Errorf("only %d names were looked up", looked)
	}
}

// page looks up what a page names, and returns how much that is.
func (n names) page(name string) (looked int) {
	text, err := os.ReadFile(filepath.Join(n.root, name))
	must(n.T, err)
	var codes []string
	rest := fence.ReplaceAllStringFunc(string(text), func(block string) string {
		codes = append(codes, fence.FindStringSubmatch(block)[1])
		return ""
	})
	for _, m := range span.FindAllStringSubmatch(rest, -1) {
		codes = append(codes, m[1])
	}
	for _, line := range strings.Split(rest, "\n") {
		if strings.HasPrefix(line, "    ") {
			codes = append(codes, line)
		}
	}
	for _, code := range codes {
		code = strings.ReplaceAll(code, "\\\n", " ")
		looked += n.code(name, code)
	}
	return looked
}

func (n names) code(page, code string) (looked int) {
	for _, m := range made.FindAllStringSubmatch(code, -1) {
		looked++
		if !slices.Contains(n.targets, m[1]) {
			n.Errorf("%s: there is no make %s", page, m[1])
		}
	}
	for _, m := range called.FindAllStringSubmatch(code, -1) {
		looked++
		n.command(page, m[1], strings.Fields(m[2]))
	}
	for _, m := range path.FindAllStringSubmatch(code, -1) {
		looked++
		file := strings.TrimSuffix(m[1], "/...")
		found, err := filepath.Glob(filepath.Join(n.root, file))
		isTheirs := slices.ContainsFunc(theirs, func(one string) bool { return strings.HasPrefix(file, one) })
		if !isTheirs && (err != nil || len(found) == 0) && !strings.ContainsAny(file, "{*") {
			n.Errorf("%s: there is no %s", page, file)
		}
	}
	for _, m := range variable.FindAllStringSubmatch(code, -1) {
		looked++
		reference, err := os.ReadFile(filepath.Join(n.root, "docs/operate/configure-"+strings.ToLower(m[1])+".md"))
		must(n.T, err)
		known := strings.Contains(string(reference), "`"+m[0]+"`") ||
			strings.Contains(string(reference), "`"+strings.TrimSuffix(m[0], "_FILE")+"`")
		if !known && !slices.Contains(others, m[0]) && page != "docs/errors.md" { // which lists constants
			n.Errorf("%s: there is no variable %s", page, m[0])
		}
	}
	return looked
}

// command looks up a command of a program, its words and its flags.
func (n names) command(page, program string, args []string) {
	var words []string
	if program == "shopctl" {
		for len(args) > 0 && word.MatchString(args[0]) {
			words, args = append(words, args[0]), args[1:]
		}
	}
	help, all := n.helpOf(program, words), words
	// The last words may be arguments of the command, such as the name of a job.
	for help == "" && len(words) > 0 {
		words = words[:len(words)-1]
		help = n.helpOf(program, words)
	}
	if help == "" || len(words) < len(all) && strings.Contains(help, "Available Commands:") {
		n.Errorf("%s: there is no %s %s", page, program, strings.Join(all, " "))
		return
	}
	for _, arg := range args {
		if m := flagged.FindStringSubmatch(arg); m != nil && !strings.Contains(help, "-"+m[1]) {
			n.Errorf("%s: %s %s has no flag %s", page, program, strings.Join(words, " "), arg)
		}
	}
}

// helpOf returns what a command says about itself, and nothing for one that does not exist.
func (n names) helpOf(program string, words []string) string {
	key := program + " " + strings.Join(words, " ")
	if said, known := n.help[key]; known {
		return said
	}
	out, _ := exec.CommandContext(n.Context(), filepath.Join(n.programs, program), append(slices.Clone(words), "--help")...).CombinedOutput()
	said := string(out)
	if program == "shopctl" && !strings.Contains(said, "Usage:\n  "+strings.TrimSpace(key)) {
		said = ""
	}
	n.help[key] = said
	return said
}
