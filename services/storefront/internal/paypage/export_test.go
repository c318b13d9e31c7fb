package paypage

// Hash is how the policy names a style.
func Hash(style string) string { return hash(style) }
