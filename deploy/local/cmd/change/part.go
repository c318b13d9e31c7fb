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
		"deploy/local/dev.sh", "deploy/local/programs.sh", "deploy/local/reliability.sh", "deploy/local/parts.sh",
	})
	// These parts call the API. The pages in the browser have tests of their own.
	browser = slices.Clip([]string{"services/storefront/web/", "services/admin/web/", "pkg/web/"})
)

// parts are all parts of make test, make check and make reliability. Every file of the project can break one of them.
// faults are the files that make mutants edits, with the tests that must notice it.
func parts(faults []string) []part {
	return []part{
		{name: "corruptions", chosen: true, tested: in("pkg/domain", "./consistency")},
		{name: "interleavings", chosen: true, tested: in("pkg/domain", "./modeltest")},
		{name: "traffic", chosen: true, tested: in("pkg/domain", "./modeltest")},
		{
			name: "declarations", chosen: true, except: browser,
			tested: append(in("services/admin", "./internal/app"), in("services/storefront", "./internal/app")...),
		},
		{
			name: "failures", chosen: true, except: browser,
			tested: append(in("services/admin", "./internal/app"), in("pkg/domain", "./order", "./aftersale")...),
		},
		{
			name: "races", chosen: true, tested: append(in("pkg/test/reliability", "./races"), starters...), programs: true,
			files: append(serverFiles, "docs/api/"), except: browser,
		},
		{
			name: "crashes", chosen: true, programs: true, files: serverFiles, except: browser,
			tested: append(in("pkg/test/reliability", "./stack", "./crash"), starters...),
		},
		{
			name: "documents", chosen: true, programs: true,
			tested: append(in("pkg/test/reliability", "./documents"), starters...),
			files: append(serverFiles, "*.md", "docs/", "Makefile", "deploy/Caddyfile", "deploy/Caddyfile.host",
				"deploy/compose.yaml", "deploy/settings.env.example", "deploy/kubernetes/", "deploy/secrets.sh",
				"deploy/systemd/", "deploy/watch/"), except: browser,
		},
		{
			name: "areas", chosen: true, tested: starters, programs: true,
			files:  append(serverFiles, "services/admin/", "pkg/web/", "package.json", "package-lock.json", ".npmrc"),
			except: []string{"services/storefront/"},
		},
		{
			name: "screens", chosen: true, tested: starters, programs: true,
			files:  append(serverFiles, "services/storefront/", "pkg/web/", "package.json", "package-lock.json", ".npmrc"),
			except: []string{"services/admin/"},
		},
		{
			name: "recipe", chosen: true,
			tested: slices.Concat(in("deploy/local", "./cmd/recipe"), in("pkg/domain", "./address", "./app", "./consistency"),
				in("services/admin", "./internal/app"), in("services/storefront", "./internal/app")),
			files: []string{"deploy/local/recipe.sh", "services/storefront/web/src/pages/account/"}, except: browser,
		},
		{name: "mutants", chosen: true, tested: in("deploy/local", "./cmd/mutants"), files: faults},

		{name: "go", tested: in(".", "work")},
		{name: "scenarios", tested: in("pkg/test/e2e", "./..."), programs: true, files: []string{"deploy/local/e2e.sh"}},
		{name: "pages", programs: true, files: append(browser, "package.json", "package-lock.json", ".npmrc")},
		{name: "tools", tested: in("deploy/local", "./..."), files: []string{"deploy/local/"}},
		{
			name:   "check",
			tested: append(in("deploy/manifests", "./..."), in("pkg/test/reliability", "./...")...),
			files: []string{
				".ci/", ".dockerignore", ".gitattributes", ".gitignore", ".golangci.yml", ".prettierignore", ".prettierrc.json",
				"LICENSE", "NOTICE", "deploy/", "docs/", "eslint.config.js", "services/storefront/web/dist/",
				"services/admin/web/dist/",
			},
		},
	}
}

func in(module string, patterns ...string) []packages { return []packages{{module, patterns}} }
