package domaintest

import "shop.internal/pkg/domain/platform/meter"

// Trips returns the number of round trips to the database that do makes.
func (s *Shop) Trips(do func()) int64 {
	_, timers := meter.Figures()
	count := func() (n int64) {
		s.Meter().Each(func(f meter.Sample) {
			if f.Figure == timers[meter.Statements] {
				n += f.Total
			}
		})
		return n
	}
	before := count()
	do()
	return count() - before
}
