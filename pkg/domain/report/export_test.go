package report

// SetSpan sets the number of rows that one statement walks.
func (s *Service) SetSpan(n int) { s.span = n }
