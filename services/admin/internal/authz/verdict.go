package authz

import "sync"

// question is what a decision is about.
type question struct {
	operator int64
	value    string
}

// verdicts are the decisions that were made on one reading of the grants. A new reading starts with none, so a verdict
// never outlives the grants it was made on: whoever still holds the old verdicts may add to them, and nobody reads what
// is added. There are at most as many as operators times operations.
type verdicts struct{ m sync.Map }

// of returns the verdict on a question, which is decided the first time.
func (v *verdicts) of(q question, decide func(question) (bool, error)) (bool, error) {
	if known, ok := v.m.Load(q); ok {
		allowed, _ := known.(bool)
		return allowed, nil
	}
	allowed, err := decide(q)
	if err == nil {
		v.m.Store(q, allowed)
	}
	return allowed, err
}
