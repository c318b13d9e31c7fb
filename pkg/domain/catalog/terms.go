package catalog

// Terms returns what the index of words holds for goods with these texts, sorted, for a program that writes many
// goods at once.
func Terms(texts ...string) []string {
	var terms []string
	for _, text := range texts {
		terms = append(terms, termsOf(text)...)
	}
	return tidy(terms)
}
