package express

// Cached is the number of parcels whose answers are cached.
func (s *Service) Cached() int { return s.answers.Len() }
