package report

// Addressed are the columns that hold addresses.
func Addressed() map[string][]string { return addressed() }

// SetSpan sets the number of rows that one statement walks.
func (s *Service) SetSpan(n int) { s.span = n }
