package optest

import "sync/atomic"

// crossing counts the calls of a test binary. The database may refuse a call that meets another, which is then tried
// again: only the statements of calls that were alone can be held to a budget.
type crossing struct{ running, begun atomic.Int64 }

// traffic is that of all services in the process, since several may share one database.
var traffic crossing

// enter begins a call; what it returns ends it and reports whether no other ran at the same time.
func (c *crossing) enter() (leave func() (alone bool)) {
	others, number := c.running.Add(1)-1, c.begun.Add(1)
	return func() bool {
		c.running.Add(-1)
		return others == 0 && c.begun.Load() == number
	}
}
