package consistency

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/domain/order"
)

// Addressed are the columns that contain addresses.
func Addressed() map[string][]string { return addressed() }

// SetSpan sets the number of rows that one statement scans.
func (s *Service) SetSpan(n int) { s.span = n }

// VerifyAtOnce verifies everything without a second look.
func (s *Service) VerifyAtOnce(ctx context.Context, found Found) error {
	s.pause = 0
	return s.Verify(ctx, found, nil)
}

// VerifyOf verifies what reads a table, that table first, without a second look.
func (s *Service) VerifyOf(ctx context.Context, table string, found Found) error {
	s.pause = 0
	var own, others []part
	for _, p := range s.parts() {
		switch {
		case p.table == table:
			own = append(own, p)
		case slices.Contains(p.reads, table):
			others = append(others, p)
		}
	}
	return s.verify(ctx, append(own, others...), found, nil)
}

// Facts returns the states of orders that have a row in the table of facts, and StatesOf those of which a fact holds.
func Facts() []order.Status { return slices.Collect(maps.Keys(facts)) }

func StatesOf(f string) []order.Status { return statesOf(fact(f)) }
