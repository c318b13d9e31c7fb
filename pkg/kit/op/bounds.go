package op

import (
	"errors"
	"fmt"
	"net/http"
)

// Bounded fails if a POST has numbers without bounds, and names them: an unbounded number may overflow a column, a sum
// or a date. Ids are bounded by their kind.
func Bounded(specs []Spec) error {
	var errs []error
	for i := range specs {
		s := &specs[i]
		if s.Method != http.MethodPost || s.plan == nil {
			continue
		}
		for _, name := range s.plan.unbounded("") {
			errs = append(errs, fmt.Errorf("%s: the number %s has no range", s.Key(), name))
		}
	}
	return errors.Join(errs...)
}

// unbounded returns the numbers without bounds; within is the path of the object that they belong to.
func (p *plan) unbounded(within string) []string {
	var names []string
	for i := range p.fields {
		f := p.fields[i].target()
		name := within + p.fields[i].name
		if sub := p.fields[i].nested(); sub != nil {
			names = append(names, sub.unbounded(name+".")...)
		}
		if (f.kind == whole || f.kind == amount) && f.enum == nil && (f.min == nil || f.max == nil) {
			names = append(names, name)
		}
	}
	return names
}
