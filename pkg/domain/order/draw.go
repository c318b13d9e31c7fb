package order

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteLife draws the table of moves as a page of the documentation.
func WriteLife(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("# The life of an order\n\nDrawn from the table of moves in the code: what is not in it cannot " +
		"happen.\n\n")
	b.WriteString("```mermaid\nstateDiagram-v2\n    [*] --> 101: submit\n    [*] --> 201: submit with nothing to pay\n")
	states := slices.Sorted(maps.Keys(moves))
	for _, s := range states {
		fmt.Fprintf(&b, "    %d: %d %s\n", s, s, s.Text("en"))
	}
	for _, s := range states {
		for _, e := range slices.Sorted(maps.Keys(moves[s])) {
			fmt.Fprintf(&b, "    %d --> %d: %s\n", s, moves[s][e], e)
		}
	}
	b.WriteString("```\n\n| State | English | Chinese | Events and where they lead |\n|---|---|---|---|\n")
	for _, s := range states {
		fmt.Fprintf(&b, "| %d | %s | %s | ", s, s.Text("en"), s.Text("zh"))
		for i, e := range slices.Sorted(maps.Keys(moves[s])) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s → %d", e, moves[s][e])
		}
		b.WriteString(" |\n")
	}
	b.WriteString("\nStates 104 and 204 are read from imported data and never produced.\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the life of an order: %w", err)
	}
	return nil
}
