package order

import (
	"io"

	"shop.internal/pkg/domain/internal/life"
)

// WriteLife draws the table of moves as a page of the documentation.
func WriteLife(w io.Writer) error {
	return life.Chart[Status, Event]{
		Title:   "# The life of an order",
		Intro:   "Drawn from the table of moves in the code: what is not in it cannot happen.",
		Note:    "States 104 and 204 are read from imported data and never produced.",
		Starts:  []life.Start[Status]{{To: Unpaid, What: "submit"}, {To: Paid, What: "submit with nothing to pay"}},
		Machine: moves, Languages: []string{"English", "Chinese"},
		Names: func(s Status) []string { return []string{s.Text("en"), s.Text("zh")} },
	}.Write(w)
}
