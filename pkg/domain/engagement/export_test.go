package engagement

// Pending reports whether something of a shopper was not written yet.
func Pending(s *Service, shopper int64) bool { return s.gathered.has(shopper) }

// Gathering reports whether Gather has begun.
func Gathering(s *Service) bool {
	s.gathered.mu.Lock()
	defer s.gathered.mu.Unlock()
	return s.gathered.on
}
