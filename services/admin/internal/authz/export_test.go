package authz

// Decide is a decision without cached verdicts.
func Decide(a *Authority, operator int64, value string) (bool, error) {
	return a.decide(cacheKey{operator, value})
}
