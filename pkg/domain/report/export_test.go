package report

import (
	"context"
	"slices"
	"time"
)

// Addressed are the columns that contain addresses.
func Addressed() map[string][]string { return addressed() }

// SetSpan sets the number of rows that one statement scans.
func (s *Service) SetSpan(n int) { s.span = n }

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

// Bounds are the first moment of a date and that of the next one in a zone.
func Bounds(date time.Time, zone *time.Location) (begin, end time.Time) { return bounds(date, zone) }

// CasePlans are statements that explain how the open cases of each kind are read, and CaseNames their arguments.
func CasePlans() map[CaseKind]string {
	plans := map[CaseKind]string{}
	for _, s := range caseSources {
		plans[s.kind] = "EXPLAIN FORMAT=TRADITIONAL " + s.query
	}
	return plans
}

// CaseNames are the arguments of CasePlans.
func CaseNames(s *Cases) map[string]any { return s.named() }
