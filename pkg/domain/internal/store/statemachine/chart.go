package statemachine

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// Start is an initial transition: what creates a record and its first state.
type Start[S ~int] struct {
	To   S
	What string
}

// Chart documents a state machine: a diagram, which Markdown viewers render, and a table.
type Chart[S ~int, E cmp.Ordered] struct {
	// Title is the heading with its marks; Intro follows it, and Note, if any, is at the end.
	Title, Intro, Note string
	Starts             []Start[S]
	Machine            Machine[S, E]
	// Languages are the headings of the columns of names. Names returns as many names, the first one for the diagram.
	Languages []string
	Names     func(S) []string
}

// Write writes the chart.
func (c Chart[S, E]) Write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n%s\n\n", c.Title, c.Intro)
	c.diagram(&b)
	c.table(&b)
	if c.Note != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Note)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("draw %q: %w", c.Title, err)
	}
	return nil
}

func (c Chart[S, E]) diagram(b *bytes.Buffer) {
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	for _, s := range c.Starts {
		fmt.Fprintf(b, "    [*] --> %d: %s\n", s.To, s.What)
	}
	states := c.Machine.States()
	for _, s := range states {
		fmt.Fprintf(b, "    %d: %d %s\n", s, s, c.Names(s)[0])
	}
	for _, s := range states {
		for _, e := range c.Machine.Events(s) {
			fmt.Fprintf(b, "    %d --> %d: %v\n", s, c.Machine.transitions[s][e], e)
		}
	}
	b.WriteString("```\n\n")
}

func (c Chart[S, E]) table(b *bytes.Buffer) {
	fmt.Fprintf(b, "| State | %s | Events and where they lead |\n", strings.Join(c.Languages, " | "))
	fmt.Fprintf(b, "|---|%s---|\n", strings.Repeat("---|", len(c.Languages)))
	for _, s := range c.Machine.States() {
		var leads []string
		for _, e := range c.Machine.Events(s) {
			leads = append(leads, fmt.Sprintf("%v → %d", e, c.Machine.transitions[s][e]))
		}
		fmt.Fprintf(b, "| %d | %s | %s |\n", s, strings.Join(c.Names(s), " | "), strings.Join(leads, ", "))
	}
}
