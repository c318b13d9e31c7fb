package consistency

import (
	"context"
	"errors"
	"math"
	"time"

	"shop.internal/pkg/base/form"
)

// Run is a verification in steps, for a job whose lease is shorter than a verification takes.
type Run struct {
	s     *Service
	done  int
	began time.Time
	// Found is the number of disagreements, and First are the first of them.
	Found int
	First []Disagreement
}

// position is where a round goes on: after a key of its part, until a time.
type position struct {
	key   int64
	until time.Time
}

// shown is the number of disagreements that a round keeps.
const shown = 200

var errPaused = errors.New("the step is over")

// Begin begins a verification.
func (s *Service) Begin() *Run {
	of := *s
	of.at = &position{key: math.MinInt64}
	return &Run{s: &of, began: s.now()}
}

// place returns the table that the round reads, and how many of how many are done.
func (r *Run) place() (part string, done, of int) {
	parts := r.s.parts()
	if r.done < len(parts) {
		part = form.Truncate(parts[r.done].table, maxPart)
	}
	return part, r.done, len(parts)
}

// Step verifies for about so long and reports whether all is done. After an error the round must not be continued.
func (r *Run) Step(ctx context.Context, most time.Duration) (bool, error) {
	r.s.at.until = r.s.now().Add(most)
	found := func(d Disagreement) error {
		r.Found++
		if len(r.First) < shown {
			r.First = append(r.First, d)
		}
		return nil
	}
	for parts := r.s.parts(); r.done < len(parts); r.done++ {
		err := parts[r.done].run(ctx, found, func(int64) {})
		if errors.Is(err, errPaused) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		r.s.at.key = math.MinInt64
		if r.s.now().After(r.s.at.until) {
			r.done++
			return r.done == len(parts), nil
		}
	}
	return true, nil
}
