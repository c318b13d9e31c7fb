package report

// Addressed are the columns that contain addresses.
func Addressed() map[string][]string { return addressed() }

// SetSpan sets the number of rows that one statement scans.
func (s *Service) SetSpan(n int) { s.span = n }

// CasePlans are statements that explain how the open cases of each kind are read, and CaseNames their arguments.
func CasePlans() map[CaseKind]string {
	plans := map[CaseKind]string{}
	for _, s := range caseSources {
		plans[s.kind] = "EXPLAIN FORMAT=TRADITIONAL " + s.query
	}
	return plans
}

// CaseNames are the arguments of CasePlans.
func CaseNames(s *Cases) map[string]any { return s.named() }
