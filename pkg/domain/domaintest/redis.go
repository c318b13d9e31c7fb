package domaintest

import (
	"testing"

	"shop.internal/pkg/domain/internal/store/dbtest"
)

// Redis returns the address of the Redis server and the number of an empty database that belongs to the test, for
// programs that are started by it. In a database that others use, too, their sessions would end with those of the test.
func Redis(t testing.TB) (addr string, number int) {
	t.Helper()
	o := dbtest.Redis(t).Options()
	return o.Addr, o.DB
}
