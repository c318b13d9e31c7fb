// Package authz decides whether an operator may run an operation, and knows every permission there is. The grants are
// those of package access, held in memory by Casbin as a graph: operator to role, role to permission. The memory
// follows every change: at once in the process that made it, within a fraction of a second in the others, and within
// seconds where Redis is down.
package authz

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/platform/errno"
)

// graph is the whole model: a permission is a leaf of the role graph, so a decision is one walk of at most two steps
// and no search through policies.
const graph = `
[request_definition]
r = sub, obj, all

[policy_definition]
p = sub, obj

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow))

[matchers]
m = g(r.sub, r.obj) || g(r.sub, r.all)
`

// How old the memory may be.
const (
	// checkInterval is the age at which the version in Redis is compared; a change elsewhere acts within this and a
	// reload.
	checkInterval = 200 * time.Millisecond
	// checkTimeout is how long Redis is waited for.
	checkTimeout = 300 * time.Millisecond
	// renew is the age at which everything is read anew without asking, for the time when Redis says nothing.
	renew = 4 * time.Second
)

// The prefixes keep an id from ever being taken for another kind of node.
func operatorNode(id int64) string { return "admin#" + strconv.FormatInt(id, 10) }
func roleNode(id int64) string     { return "role#" + strconv.FormatInt(id, 10) }
func leafNode(value string) string { return "leaf#" + value }

// Authority decides.
type Authority struct {
	access   *access.Service
	enforcer *casbin.SyncedEnforcer
	adapter  *adapter
	now      func() time.Time

	// fresh is what the quick way of a decision looks at: the local generation and when the memory must be checked.
	fresh atomic.Pointer[state]
	mu    sync.Mutex // one check or reload at a time
}

// state is what is known of the memory.
type state struct {
	generation     int64
	version        string
	loaded, looked time.Time
	// verdicts are of the grants that were loaded then, and are dropped with them.
	verdicts *verdicts
}

// New returns an authority that has read nothing yet; the first decision reads.
func New(a *access.Service, now func() time.Time) (*Authority, error) {
	m, err := model.NewModelFromString(graph)
	if err != nil {
		return nil, fmt.Errorf("read the permission model: %w", err)
	}
	grants := &adapter{}
	e, err := casbin.NewSyncedEnforcer(m, grants)
	if err != nil {
		return nil, fmt.Errorf("make the enforcer: %w", err)
	}
	authority := new(Authority)
	authority.access, authority.enforcer, authority.adapter, authority.now = a, e, grants, now
	return authority, nil
}

// Check fails with errno.NoPermission where the operator does not hold the permission value, and with a plain error
// where the grants cannot be read: in doubt nobody gets in.
func (a *Authority) Check(ctx context.Context, operator int64, value string) error {
	known, err := a.follow(ctx)
	if err != nil {
		return err
	}
	allowed, err := known.verdicts.of(question{operator, value}, a.decide)
	if err != nil {
		return fmt.Errorf("decide %s for operator %d: %w", value, operator, err)
	}
	if !allowed {
		return fmt.Errorf("operator %d lacks %s: %w", operator, value, errno.NoPermission)
	}
	return nil
}

// decide walks the graph.
func (a *Authority) decide(q question) (bool, error) {
	return a.enforcer.Enforce(operatorNode(q.operator), leafNode(q.value), leafNode(access.Super))
}

// follow brings the memory up to date where it may be out of date, and returns what is known of it.
func (a *Authority) follow(ctx context.Context) (*state, error) {
	if known := a.fresh.Load(); a.current(known) {
		return known, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.fresh.Load()
	if a.current(known) {
		return known, nil // somebody else has just done it
	}
	// What may have changed is read before the grants, so that a change during the reading is seen the next time.
	next := state{generation: a.access.Generation(), looked: a.now()}
	version, err := a.version(ctx)
	if err == nil {
		next.version = version
	} else if known != nil {
		next.version = known.version
	}
	if known != nil && known.generation == next.generation && known.version == next.version &&
		next.looked.Sub(known.loaded) < renew {
		next.loaded, next.verdicts = known.loaded, known.verdicts
		a.fresh.Store(&next)
		return &next, nil
	}
	next.loaded = next.looked
	changed, err := a.reload(ctx)
	if err != nil {
		return nil, err
	}
	if next.verdicts = new(verdicts); known != nil && !changed {
		next.verdicts = known.verdicts
	}
	a.fresh.Store(&next)
	return &next, nil
}

// current reports whether the memory needs no look.
func (a *Authority) current(s *state) bool {
	if s == nil || s.generation != a.access.Generation() {
		return false
	}
	now := a.now()
	return now.Sub(s.looked) < checkInterval && now.Sub(s.loaded) < renew
}

func (a *Authority) version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return a.access.Version(ctx)
}

// reload reads the grants anew and reports whether they are others than before.
func (a *Authority) reload(ctx context.Context) (changed bool, err error) {
	grants, err := a.access.Grants(ctx)
	if err != nil {
		return false, err
	}
	if a.fresh.Load() != nil && grants.Equal(a.adapter.grants) {
		return false, nil
	}
	a.adapter.grants = grants
	if err := a.enforcer.LoadPolicy(); err != nil {
		a.adapter.grants = access.Grants{} // of which part the graph holds nobody knows
		a.fresh.Store(nil)
		return false, fmt.Errorf("load the grants: %w", err)
	}
	return true, nil
}
