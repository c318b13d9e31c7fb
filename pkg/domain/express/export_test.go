package express

// Kept is the number of parcels that are remembered.
func (s *Service) Kept() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.cache)
}
