package report

// Addressed are the columns that contain addresses.
func Addressed() map[string][]string { return addressed() }

// SetSpan sets the number of rows that one statement scans.
func (s *Service) SetSpan(n int) { s.span = n }
