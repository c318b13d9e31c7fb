package main

import "slices"

// part is something that is run, with what can break it: the packages that it tests with all that they import, and
// files. A move of a package needs no edit here.
type part struct {
	name   string
	chosen bool // only where a change can touch it; the others are run whenever there is more than documents
	tested []packages
	// programs says that it runs the programs of the shop.
	programs bool
	// files are those that it reads beside its packages: a path, a folder that ends in a slash, or *.suffix.
	files []string
	// except are folders that it does not read, though what it imports or runs contains them.
	except []string
}

// packages are patterns of a module, which is a folder.
type packages struct {
	module   string
	patterns []string
}

// What the programs of make run and the reliability tests start servers with.
var starters = []packages{{"deploy/local", []string{"./cmd/dev"}}}

var (
	serverFiles = slices.Clip([]string{
		"deploy/mysql/", "deploy/admin/", "deploy/storefront/", "deploy/local/lib.sh", "deploy/local/build.sh",
		"deploy/local/dev.sh", "deploy/local/programs.sh", "deploy/local/prove.sh", "deploy/local/parts.sh",
	})
	// These parts call the API. The pages in the browser have tests of their own.
	browser = slices.Clip([]string{"services/storefront/web/", "services/admin/web/", "pkg/web/"})
	// What the pages show, beside what they say themselves: menus, fields and messages of the services, and the demo.
	shown = slices.Clip([]string{"services/", "pkg/contract/", "pkg/domain/seed/"})
	node  = slices.Clip([]string{"package.json", "package-lock.json", ".npmrc"})
)

// parts are all parts of make test, make check and make prove. Every file of the project can break one of them. faults
// are the files that make mutants edits, with the tests that must notice it.
func parts(faults []string) []part {
	return []part{
		{name: "corruptions", chosen: true, tested: in("pkg/domain", "./report")},
		{name: "interleavings", chosen: true, tested: in("pkg/domain", "./prove")},
		{name: "traffic", chosen: true, tested: in("pkg/domain", "./prove")},
		{
			name: "pairs", chosen: true, tested: append(in("deploy/prove", "./stack", "./pairs"), starters...), programs: true,
			files: append(serverFiles, "docs/api/"), except: browser,
		},
		{
			name: "crashes", chosen: true, tested: append(in("deploy/prove", "./crash"), starters...), programs: true,
			files: serverFiles, except: browser,
		},
		{
			name: "documents", chosen: true, tested: append(in("deploy/prove", "./pages"), starters...), programs: true,
			files: append(serverFiles, "*.md", "docs/", "Makefile", "deploy/Caddyfile", "deploy/compose.yaml",
				"deploy/kubernetes/",
				"deploy/secrets.sh", "deploy/systemd/", "deploy/watch/"), except: browser,
		},
		{
			name: "areas", chosen: true, tested: starters, programs: true,
			files:  slices.Concat(serverFiles, node, []string{"services/admin/", "pkg/web/"}),
			except: []string{"services/storefront/"},
		},
		{name: "looks", chosen: true, tested: starters, programs: true, files: slices.Concat(serverFiles, browser, node)},
		// A text that is longer, or one more field of a form, needs another place on a phone than at a desk.
		{name: "sizes", chosen: true, files: slices.Concat(browser, node, shown)},
		{name: "mutants", chosen: true, tested: in("deploy/local", "./cmd/mutants"), files: faults},

		{name: "go", tested: in(".", "work")},
		{name: "scenarios", tested: in("deploy/e2e", "./..."), programs: true, files: []string{"deploy/local/e2e.sh"}},
		{name: "pages", programs: true, files: append(browser, node...)},
		{name: "tools", tested: in("deploy/local", "./..."), files: []string{"deploy/local/"}},
		{
			name:   "check",
			tested: append(in("deploy/manifests", "./..."), in("deploy/prove", "./...")...),
			files: []string{
				".ci/", ".dockerignore", ".gitattributes", ".gitignore", ".golangci.yml", ".prettierignore", ".prettierrc.json",
				"LICENSE", "NOTICE", "deploy/", "docs/", "eslint.config.js", "services/storefront/web/dist/",
				"services/admin/web/dist/",
			},
		},
	}
}

func in(module string, patterns ...string) []packages { return []packages{{module, patterns}} }

// web is where no service runs: the checks of the sources of the pages, whether what is committed is built of them, and
// their components.
func web() reach {
	return reach{part: part{files: slices.Concat(browser, node, []string{
		"docs/api/", "eslint.config.js", ".prettierrc.json", ".prettierignore", "deploy/local/web.sh", "deploy/local/lib.sh",
		"deploy/local/check.sh", "deploy/local/test-all.sh", ".ci/run",
	})}}
}
