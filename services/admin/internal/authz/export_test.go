package authz

// Decide is a decision without the verdicts that were made before.
func Decide(a *Authority, operator int64, value string) (bool, error) {
	return a.decide(question{operator, value})
}
