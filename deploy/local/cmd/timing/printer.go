package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of go test -json, as go doc test2json describes it.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

type testName struct{ pkg, test string }

// printer prints events as go test prints them: with -v all output, otherwise that of failed tests.
type printer struct {
	out, notes io.Writer
	verbose    bool
	held       map[testName][]byte // output of tests that have not ended, and of packages
	failed     map[testName][]byte // output of tests that have failed
	passed     map[testName]bool
	broken     bool // a package failed, and not in a test alone
}

func newPrinter(out, notes io.Writer, verbose bool) *printer {
	return &printer{
		out: out, notes: notes, verbose: verbose,
		held: map[testName][]byte{}, failed: map[testName][]byte{}, passed: map[testName]bool{},
	}
}

func compare(a, b testName) int {
	return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.test, b.test))
}

// read prints events until their end. What is no event, such as a line of a tool, is printed unchanged.
func (p *printer) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case line == "":
		case json.Unmarshal([]byte(line), &e) == nil && e.Action != "":
			p.see(e)
		default:
			fmt.Fprint(p.out, line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *printer) see(e event) {
	name := testName{e.Package, e.Test}
	switch e.Action {
	case "output":
		p.output(name, e.Output)
	case "build-output":
		fmt.Fprint(p.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			p.end(e)
			return
		}
		if e.Action == "fail" {
			p.print(p.held[name])
			p.failed[name] = p.held[name]
		}
		p.passed[name] = e.Action == "pass"
		delete(p.held, name)
		fmt.Fprintf(p.notes, "test\t%s %s\t%.2f\n", e.Package, e.Test, e.Elapsed)
	}
}

// print prints what was held, which verbose output has printed already.
func (p *printer) print(held []byte) {
	if !p.verbose {
		fmt.Fprintf(p.out, "%s", held)
	}
}

func (p *printer) output(name testName, text string) {
	p.held[name] = append(p.held[name], text...)
	switch {
	case p.verbose:
		fmt.Fprint(p.out, text)
	case name.test != "":
	case text != "PASS\n" && !strings.HasSuffix(text, "\t[no test files]\n"):
		fmt.Fprint(p.out, text)
	}
}

// end ends a package. Where it failed, the output of tests that did not end says why.
func (p *printer) end(e event) {
	if e.Action == "fail" {
		inTests := false
		for name := range p.failed {
			inTests = inTests || name.pkg == e.Package
		}
		p.broken = p.broken || !inTests || saysMore(string(p.held[testName{e.Package, ""}]))
	}
	delete(p.held, testName{e.Package, ""})
	for _, name := range slices.SortedFunc(maps.Keys(p.held), compare) {
		if name.pkg != e.Package {
			continue
		}
		if e.Action == "fail" {
			p.print(p.held[name])
			p.broken = true
		}
		delete(p.held, name)
	}
	if e.Action != "skip" {
		fmt.Fprintf(p.notes, "package\t%s\t%.2f\n", e.Package, e.Elapsed)
	}
}

// saysMore reports whether a failed package, by its TestMain, printed more than go test says of it.
func saysMore(output string) bool {
	for line := range strings.Lines(output) {
		if line != "FAIL\n" && !strings.HasPrefix(line, "FAIL\t") && !strings.HasPrefix(line, "exit status ") {
			return true
		}
	}
	return false
}
