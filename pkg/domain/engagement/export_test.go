package engagement

// Pending reports whether something of a shopper was not written yet.
func Pending(s *Service, shopper int64) bool { return s.gathered.has(shopper) }
