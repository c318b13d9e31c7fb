package aftersale

import (
	"io"

	"shop.internal/pkg/domain/internal/life"
)

// WriteLife draws the table of moves as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[Status]string{
		None: "No case", Requested: "Requested", Accepted: "Accepted", Refunded: "Refunded", Rejected: "Rejected",
		Cancelled: "Withdrawn",
	}
	return life.Chart[Status, Event]{
		Title: "## The life of an after-sale case",
		Intro: "A received order has at most one case at a time; its state is kept with the order too. A request in place " +
			"of\nanother makes a new case and retires the old one.",
		Starts:  []life.Start[Status]{{To: None, What: "the order is received"}},
		Machine: moves, Languages: []string{"English"},
		Names: func(s Status) []string { return []string{names[s]} },
	}.Write(w)
}
