package opencases

// Plans are statements that explain how the open cases of each kind are read, and Names their arguments.
func Plans() map[Kind]string {
	plans := map[Kind]string{}
	for _, s := range sources {
		plans[s.kind] = "EXPLAIN FORMAT=TRADITIONAL " + s.query
	}
	return plans
}

// Names are the arguments of Plans.
func Names(s *Service) map[string]any { return s.named() }
