package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// project is the folder of the project.
func project() (string, error) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(root)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Every file of the project can break a part. A folder of a new kind needs a line in parts.
func TestEveryFileBelongsToAPart(t *testing.T) {
	tr, reached := all(t)
	list, err := git(t.Context(), tr.root, "ls-files")
	ok(t, err)
	files := strings.Split(list, "\n")
	if len(files) < 1000 {
		t.Fatalf("the project has only %d files", len(files))
	}
	for _, file := range files {
		if file != ".ci/whole" && !slices.ContainsFunc(reached, func(r reach) bool { return r.touches(tr, file) }) {
			t.Errorf("no part is run for %s", file)
		}
	}
}

// The first commit of each landing sets .ci/whole to the commit that landed last: what has not changed since was proved there.
func TestTheBaseIsNear(t *testing.T) {
	root, err := project()
	ok(t, err)
	text, err := os.ReadFile(filepath.Join(root, ".ci/whole"))
	ok(t, err)
	if shallow, err := git(t.Context(), root, "rev-parse", "--is-shallow-repository"); err != nil || shallow != "false" {
		if c := since(t.Context(), root, ""); !c.everything {
			t.Errorf("without its history: %s", c.why)
		}
		return
	}
	base, _, _ := strings.Cut(string(text), " ")
	between, err := git(t.Context(), root, "rev-list", "--count", base+"..HEAD")
	ok(t, err)
	if n, err := strconv.Atoi(between); err != nil || n > far {
		t.Errorf("%s, named by .ci/whole, is %s commits away, more than %d", base, between, far)
	}
}

// whole is the project with what its parts consist of, which go list takes ten seconds to tell.
type whole struct {
	*tree
	parts []reach
}

var grown = sync.OnceValues(func() (w whole, err error) {
	root, err := project()
	if err != nil {
		return w, err
	}
	if w.tree, err = grow(context.Background(), root); err == nil {
		w.parts, err = w.reaches(context.Background())
	}
	return w, err
})

func all(t *testing.T) (*tree, []reach) {
	t.Helper()
	w, err := grown()
	ok(t, err)
	return w.tree, w.parts
}

func TestWhatAChangeTouches(t *testing.T) {
	tr, reached := all(t)
	for _, tt := range []struct{ file, parts, packages string }{
		{"pkg/domain/order/submit.go", "corruptions interleavings traffic pairs crashes documents areas looks", "shop.internal/pkg/domain/order"},
		{"pkg/domain/order/life.go", "corruptions interleavings traffic pairs crashes documents areas looks mutants", "shop.internal/pkg/domain/order"},
		{"pkg/domain/order/testdata/any.json", "", "shop.internal/pkg/domain/order"},
		{"pkg/domain/internal/db/tx.go", "corruptions interleavings traffic pairs crashes documents areas looks", "all"},
		{"migrations/0002_more.sql", "corruptions interleavings traffic pairs crashes documents areas looks", "all"},
		{"pkg/domain/prove/interleavings_test.go", "interleavings traffic", ""},
		{"pkg/domain/go.mod", "corruptions interleavings traffic pairs crashes documents areas looks", "all"},
		{"services/admin/internal/order/ops.go", "pairs crashes documents areas looks sizes", ""},
		{"services/storefront/web/dist/index.html", "looks sizes", ""},
		{"services/storefront/web/tests/shop.ts", "looks sizes", ""},
		{"services/admin/web/src/App.vue", "areas looks sizes", ""},
		{"deploy/prove/pairs/table_test.go", "pairs", ""},
		{"deploy/e2e/refund_test.go", "", ""},
		{"docs/operation.md", "documents", ""},
		{"a-new-folder/file.txt", "corruptions interleavings traffic pairs crashes documents areas looks sizes mutants", ""},
	} {
		c := changes{files: []string{tt.file}}
		if got := strings.Join(c.touched(tr, reached), " "); got != tt.parts {
			t.Errorf("%s touches %q, not %q", tt.file, got, tt.parts)
		}
		if got := strings.Join(c.statements(tr), " "); got != tt.packages {
			t.Errorf("%s changes the statements of %q, not %q", tt.file, got, tt.packages)
		}
	}
}

func TestWhoseTestsAChangeTouches(t *testing.T) {
	tr, _ := all(t)
	suites, err := suites(t.Context(), tr.root)
	ok(t, err)
	for _, tt := range []struct{ file, raced, plain, left string }{
		{"pkg/domain/order/submit.go", "pkg/domain/order services/storefront/internal/order", "pkg/domain/account", "pkg/domain/storage pkg/kit/op"},
		{"pkg/domain/order/hot_test.go", "pkg/domain/order", "pkg/domain", "pkg/domain/account services/storefront/internal/order"},
		{"pkg/domain/order/testdata/any.json", "pkg/domain/order", "pkg/domain", "services/storefront/internal/order"},
		{"pkg/domain/domaintest/race.go", "pkg/domain/order pkg/domain/cart", "", "pkg/kit/op"},
		{"pkg/domain/internal/db/tx.go", "pkg/domain/order pkg/domain/catalog", "pkg/domain/notify", "pkg/kit/op"},
		{"migrations/0002_more.sql", "migrations", "pkg/domain/internal/db pkg/domain/order pkg/domain/storage", "pkg/kit/op"},
		{"pkg/kit/op/mount.go", "pkg/kit/op", "pkg/domain", "pkg/domain/order pkg/domain/storage"},
		{"pkg/domain/address/division/divisions.txt", "pkg/domain/address/division", "pkg/domain", "pkg/kit/op"},
		{"pkg/domain/go.mod", "pkg/domain/order pkg/domain/storage services/storefront/internal/order", "", "pkg/kit/golden"},
		{"go.work", "pkg/domain/order pkg/kit/op", "", ""},
		// The programs consist of both services.
		{
			"services/storefront/internal/pagecache/pagecache.go", "services/storefront/internal/pagecache services/storefront/internal/app",
			"services/admin/internal/app services/admin/cmd/shopctl", "pkg/domain/order",
		},
		// What all tests run in.
		{"deploy/local/cmd/dev/main.go", "", "pkg/domain/order pkg/kit/op", ""},
		{"Makefile", "", "pkg/domain/order pkg/kit/op", ""},
		// What a test reads beside its packages.
		{"docs/operate/configure.md", "", "pkg/domain pkg/domain/notify", "pkg/domain/order pkg/domain/storage pkg/kit/op"},
		{"docs/schema.sql", "", "migrations/cmd/schema", "pkg/kit/op"},
		{"deploy/prove/pairs/table_test.go", "", "pkg/domain", "pkg/domain/order"},
		{"a-new-folder/file.txt", "", "pkg/domain", "pkg/domain/order pkg/kit/op"},
	} {
		raced, tested := changes{files: []string{tt.file}}.tests(tr, suites)
		expect := func(folders string, isRaced, isTested bool) {
			for _, folder := range strings.Fields(folders) {
				name := "shop.internal/" + folder
				if withRace, atAll := slices.Contains(raced, name), slices.Contains(tested, name); withRace != isRaced || atAll != isTested {
					t.Errorf("%s is changed, and %s tested: %t, with the race detector: %t", tt.file, folder, atAll, withRace)
				}
			}
		}
		expect(tt.raced, true, true)
		expect(tt.plain, false, true)
		expect(tt.left, false, false)
	}
	raced, tested := changes{everything: true}.tests(tr, suites)
	if len(tested) != len(suites) || len(raced) != len(suites) {
		t.Errorf("everything is changed, and of %d packages %d are tested, %d raced", len(suites), len(tested), len(raced))
	}
}

func TestWhichTestsReadElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		`os.ReadFile("../other/file.txt")`: true, "const file = `../other/file.txt`": true, `filepath.Glob("../oth*/*")`: true,
		`os.ReadFile("../other/none.txt")`: false, `open(ctx, "../../etc/passwd")`: false, `os.ReadFile("testdata/file.txt")`: false,
		`filepath.Join("..", "other")`: true, `os.DirFS("..")`: true, `os.ReadDir("..")`: true, `[]string{"..", "."}`: false,
		`filepath.WalkDir(dir, see)`: true, `import "go/parser"`: true, `exec.Command("ls")`: true, `apitest.Programs(t)`: true,
	} {
		dir := t.TempDir()
		for _, name := range []string{"package", "other"} {
			ok(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		}
		ok(t, os.WriteFile(filepath.Join(dir, "other/file.txt"), nil, 0o600))
		ok(t, os.WriteFile(filepath.Join(dir, "package/a_test.go"), []byte(text), 0o600))
		got, err := readsElsewhere(filepath.Join(dir, "package"))
		ok(t, err)
		if got != want {
			t.Errorf("%s reads elsewhere: %t", text, got)
		}
	}
}

func TestWhatThePagesConsistOf(t *testing.T) {
	for file, want := range map[string]bool{
		"services/admin/web/src/App.vue": true, "services/storefront/web/dist/index.html": true, "pkg/web/src/money.ts": true,
		"package-lock.json": true, "docs/api/wx.json": true, "pkg/domain/order/submit.go": false, "docs/operation.md": false,
	} {
		if got := (changes{files: []string{"docs/adr/new.md", file}}).touch(&tree{}, web()); got != want {
			t.Errorf("%s is changed, and the pages: %t", file, got)
		}
	}
	if !(changes{everything: true}).touch(&tree{}, web()) {
		t.Error("everything is changed, but the pages are not")
	}
}

func TestAPageMayNameAFileThatIsGone(t *testing.T) {
	tr, reached := all(t)
	c := changes{files: []string{"deploy/e2e/gone_test.go"}, gone: true}
	if got := c.touched(tr, reached); !slices.Equal(got, []string{"documents"}) {
		t.Error(got)
	}
}

// repository is a new one, whose commits have the numbers of their order.
type repository struct {
	*testing.T
	dir string
}

func (r repository) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	out, err := output(cmd)
	ok(r.T, err)
	return out
}

func (r repository) commit(file string) (hash string) {
	r.Helper()
	ok(r.T, os.MkdirAll(filepath.Dir(filepath.Join(r.dir, file)), 0o700))
	f, err := os.OpenFile(filepath.Join(r.dir, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ok(r.T, err)
	_, err = f.WriteString("more\n")
	ok(r.T, err)
	ok(r.T, f.Close())
	r.git("add", "-A")
	r.git("commit", "-qm", file)
	return r.git("rev-parse", "HEAD")
}

func TestABaseThatCannotBeReliedOnMeansEverything(t *testing.T) {
	r := repository{t, t.TempDir()}
	r.git("init", "-q")
	everything := func(base, why string) {
		t.Helper()
		c := since(context.Background(), r.dir, base)
		if !c.everything || !strings.Contains(c.why, why) {
			t.Errorf("%q: %+v, not %q", base, c, why)
		}
	}
	first := r.commit("a.go")
	everything("", ".ci/whole names no commit")
	everything("none", "SHOP_BASE is none")
	everything("nonsense", "no ancestor")

	r.git("checkout", "-q", "-b", "other")
	aside := r.commit("b.go")
	r.git("checkout", "-q", "-")
	everything(aside, "no ancestor")

	ok(t, os.MkdirAll(filepath.Join(r.dir, ".ci"), 0o700))
	ok(t, os.WriteFile(filepath.Join(r.dir, ".ci/whole"), []byte(first+" 2026-01-02\n"), 0o600))
	r.commit("docs/a.md")
	c := since(t.Context(), r.dir, "")
	if c.everything || !slices.Equal(c.files, []string{"docs/a.md"}) || !c.onlyDocuments() {
		t.Errorf("%+v after a change of a document", c)
	}
	r.commit("docs/pictures/a.png")
	r.commit("docs/schema.sql")
	c = since(t.Context(), r.dir, "")
	if c.onlyDocuments() || len(c.files) != 3 {
		t.Errorf("%+v after a change of a generated file", c)
	}

	ok(t, os.WriteFile(filepath.Join(r.dir, "new"), nil, 0o600))
	everything("", "not committed")
	ok(t, os.Remove(filepath.Join(r.dir, "new")))
	for range far {
		r.git("commit", "-q", "--allow-empty", "-m", "nothing")
	}
	everything("", "more than 60")

	shallow := filepath.Join(t.TempDir(), "shallow")
	_, err := output(exec.Command("git", "clone", "-q", "--depth=1", "file://"+r.dir, shallow))
	ok(t, err)
	r.dir = shallow
	everything(first, "whole history")
}
