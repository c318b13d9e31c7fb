package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const events = `{"Action":"start","Package":"shop.internal/a"}
{"Action":"run","Package":"shop.internal/a","Test":"TestGood"}
{"Action":"output","Package":"shop.internal/a","Test":"TestGood","Output":"nobody reads this\n"}
{"Action":"pass","Package":"shop.internal/a","Test":"TestGood","Elapsed":1.5}
{"Action":"output","Package":"shop.internal/a","Test":"TestBad/one","Output":"    bad_test.go:7: this is wrong\n"}
{"Action":"fail","Package":"shop.internal/a","Test":"TestBad/one","Elapsed":0.25}
{"Action":"fail","Package":"shop.internal/a","Test":"TestBad","Elapsed":0.25}
{"Action":"output","Package":"shop.internal/a","Test":"TestHangs","Output":"it was here\n"}
{"Action":"output","Package":"shop.internal/a","Output":"FAIL\tshop.internal/a\t2.1s\n"}
{"Action":"fail","Package":"shop.internal/a","Elapsed":2.1}
{"ImportPath":"shop.internal/b","Action":"build-output","Output":"b.go:1: syntax error\n"}
{"Action":"output","Package":"shop.internal/c","Output":"?   \tshop.internal/c\t[no test files]\n"}
{"Action":"skip","Package":"shop.internal/c","Elapsed":0}
{"Action":"output","Package":"shop.internal/d","Output":"PASS\n"}
{"Action":"output","Package":"shop.internal/d","Output":"ok  \tshop.internal/d\t12.0s\n"}
{"Action":"pass","Package":"shop.internal/d","Elapsed":12}
go: a line of the tool
`

func TestWhatGoTestPrintsIsPrinted(t *testing.T) {
	var out, notes strings.Builder
	p := newPrinter(&out, &notes, false)
	if err := p.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	want := `    bad_test.go:7: this is wrong
FAIL	shop.internal/a	2.1s
it was here
b.go:1: syntax error
ok  	shop.internal/d	12.0s
go: a line of the tool
`
	if out.String() != want {
		t.Errorf("printed:\n%s", out.String())
	}

	file := filepath.Join(t.TempDir(), "notes")
	all := notes.String() + "part\tthe pages\t60\npart\tgo test\t90.5\n"
	if err := os.WriteFile(file, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := report(&page, file, "a run"); err != nil {
		t.Fatal(err)
	}
	want = `a run, in seconds

parts (2, together 150)
     90.5  go test
     60.0  the pages

packages (2, together 14)
     12.0  d
      2.1  a

slowest tests (2, together 2)
      1.5  a TestGood
      0.2  a TestBad/one
`
	if page.String() != want {
		t.Errorf("reported:\n%s", page.String())
	}
}

func TestVerboseOutputIsPrintedAtOnce(t *testing.T) {
	var out, notes strings.Builder
	p := newPrinter(&out, &notes, true)
	if err := p.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "nobody reads this\n") {
		t.Errorf("printed:\n%s", out.String())
	}
}
