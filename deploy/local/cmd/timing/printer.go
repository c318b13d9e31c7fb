package main

import (
	"bufio"
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
	held       map[testName]string // output of tests that have not ended
}

// read prints events until their end. What is no event, such as a line of a tool, is printed unchanged.
func (p *printer) read(events io.Reader) error {
	p.held = map[testName]string{}
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
			fmt.Fprint(p.out, p.held[name])
		}
		delete(p.held, name)
		fmt.Fprintf(p.notes, "test\t%s %s\t%.2f\n", e.Package, e.Test, e.Elapsed)
	}
}

func (p *printer) output(name testName, text string) {
	switch {
	case p.verbose:
		fmt.Fprint(p.out, text)
	case name.test != "":
		p.held[name] += text
	case text != "PASS\n" && !strings.HasSuffix(text, "\t[no test files]\n"):
		fmt.Fprint(p.out, text)
	}
}

// end ends a package. Where it failed, the output of tests that did not end says why.
func (p *printer) end(e event) {
	order := func(a, b testName) int { return strings.Compare(a.test, b.test) }
	for _, name := range slices.SortedFunc(maps.Keys(p.held), order) {
		if name.pkg != e.Package {
			continue
		}
		if e.Action == "fail" {
			fmt.Fprint(p.out, p.held[name])
		}
		delete(p.held, name)
	}
	if e.Action != "skip" {
		fmt.Fprintf(p.notes, "package\t%s\t%.2f\n", e.Package, e.Elapsed)
	}
}
