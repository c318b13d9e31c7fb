package deployment

import (
	"runtime"
	"time"

	"shop.internal/pkg/base/admission"
)

// Overload are the keys that bound the work at once. A number of places of 0 is derived from the machine and from the
// connections of the database.
type Overload struct {
	Memory int `key:"memory" validate:"min=0,max=1000000" default:"0"`
	Load   int `key:"load" validate:"min=0,max=10000" default:"0"`
	Read   int `key:"read" validate:"min=0,max=10000" default:"0"`
	Write  int `key:"write" validate:"min=0,max=10000" default:"0"`
	Login  int `key:"login" validate:"min=0,max=10000" default:"0"`
	Export int `key:"export" validate:"min=0,max=10000" default:"0"`
	// Queue is how many requests may wait for each place, Wait how long, and how long others are held until they are
	// refused.
	Queue int           `key:"queue" validate:"min=0,max=1000" default:"16"`
	Wait  time.Duration `key:"wait" validate:"min=0,max=10s" default:"1s"`
}

// The derived numbers of places. The classes that use the database have a connection for each place and leave some for
// jobs and checks, so that no admitted request waits for a connection.
const (
	memoryPerProcessor = 256
	// The shares of the connections, in parts of 32. A class has at least one place.
	readShare, writeShare, loadShare, loginShare, exportShare, parts = 12, 12, 2, 4, 1, 32
	// loginsPerHash is how many logins are at work for each processor that hashes, so that none of these waits for a
	// login's statements; loginQueue is how many times as many as of others may wait for each place, and as long: a hash
	// takes so long that who is refused at once is refused again, and there is time for it before the deadline of 10 s.
	loginsPerHash, loginQueue = 2, 6
)

// Admission returns the controller of a process.
func (s *Shared) Admission() *admission.Controller {
	return admission.New(s.limits(runtime.GOMAXPROCS(0)))
}

func (s *Shared) limits(processors int) map[admission.Class]admission.Limits {
	o := s.Overload
	share := func(n int) int { return s.MySQL.MaxOpen * n / parts }
	of := func(configured, derived int) admission.Limits {
		places := configured
		if places == 0 {
			places = max(derived, 1)
		}
		return admission.Limits{Places: places, Queue: places * o.Queue, Wait: o.Wait, Hold: true}
	}
	login := of(o.Login, min(max(1, processors/2)*loginsPerHash, share(loginShare)))
	login.Queue, login.Wait = loginQueue*login.Queue, loginQueue*login.Wait
	load := of(o.Load, share(loadShare))
	load.Hold = false // no client waits for it
	return map[admission.Class]admission.Limits{
		admission.Memory: of(o.Memory, processors*memoryPerProcessor),
		admission.Load:   load,
		admission.Read:   of(o.Read, share(readShare)),
		admission.Write:  of(o.Write, share(writeShare)),
		admission.Login:  login,
		admission.Export: of(o.Export, share(exportShare)),
	}
}
