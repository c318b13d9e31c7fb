package domaintest

import "shop.internal/pkg/base/meter/metertest"

// Trips returns the number of round trips to the database that do makes.
func (s *Shop) Trips(do func()) int64 {
	before := metertest.Trips(s.t, s.Meter())
	do()
	return metertest.Trips(s.t, s.Meter()) - before
}
