package paypage

// Hash is the name of a style in the policy.
func Hash(style string) string { return hash(style) }
