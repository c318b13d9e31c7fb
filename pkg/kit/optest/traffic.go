package optest

import "sync/atomic"

// crossing counts the calls of the services on one database. A call that conflicts with another one is retried by the
// database layer, so only calls that ran alone can be checked against a budget.
type crossing struct{ running, begun atomic.Int64 }

// begin begins a call; leave ends it and reports whether no other ran at the same time.
func (c *crossing) begin() (leave func() (alone bool)) {
	others, number := c.running.Add(1)-1, c.begun.Add(1)
	return func() bool {
		c.running.Add(-1)
		return others == 0 && c.begun.Load() == number
	}
}
