package engagement

// Pending reports whether something of a shopper was not written yet.
func Pending(s *Service, shopper int64) bool { return s.pending.has(shopper) }

// Batching reports whether WriteBatches has begun.
func Batching(s *Service) bool {
	s.pending.mu.Lock()
	defer s.pending.mu.Unlock()
	return s.pending.on
}
