// Package authz decides whether an operator may call an operation, and has the registry of all permissions. The grants
// of package access are held in memory by Casbin as a graph: operator to role, role to permission. The graph follows
// every change: at once in the process that made it, within a fraction of a second in others, and within seconds if
// Redis is down.
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

// graph is the model: a permission is a leaf of the role graph, so a decision takes at most two steps and no search
// through policies.
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

// The maximum ages of the graph.
const (
	// checkInterval is the age at which the version in Redis is compared; a change elsewhere takes effect within this time
	// and a reload.
	checkInterval = 200 * time.Millisecond
	// checkTimeout is the timeout of Redis.
	checkTimeout = 300 * time.Millisecond
	// renew is the age at which the grants are reloaded without Redis.
	renew = 4 * time.Second
)

// The prefixes distinguish the ids of different kinds of nodes.
func operatorNode(id int64) string { return "admin#" + strconv.FormatInt(id, 10) }
func roleNode(id int64) string     { return "role#" + strconv.FormatInt(id, 10) }
func leafNode(value string) string { return "leaf#" + value }

// Authority decides about permissions.
type Authority struct {
	access   *access.Service
	enforcer *casbin.SyncedEnforcer
	adapter  *adapter
	now      func() time.Time

	// fresh is the state for the fast path of a decision, without a lock.
	fresh atomic.Pointer[state]
	mu    sync.Mutex // one check or reload at a time
}

// state describes the loaded grants.
type state struct {
	generation     int64
	version        string
	loaded, looked time.Time
	// verdicts are decisions on these grants, dropped with them.
	verdicts *verdicts
}

// New returns an authority without grants; the first decision loads them.
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

// Check fails with errno.NoPermission if the operator does not have the permission, and with a plain error if the
// grants cannot be loaded.
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

// decide evaluates the graph.
func (a *Authority) decide(q question) (bool, error) {
	return a.enforcer.Enforce(operatorNode(q.operator), leafNode(q.value), leafNode(access.Super))
}

// follow updates the grants if needed, and returns their state.
func (a *Authority) follow(ctx context.Context) (*state, error) {
	if known := a.fresh.Load(); a.current(known) {
		return known, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.fresh.Load()
	if a.current(known) {
		return known, nil // another call has just done it
	}
	// The versions are read before the grants, so that a change during the load is noticed next time.
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

// current reports whether the grants need no check.
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

// reload loads the grants and reports whether they have changed.
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
		a.adapter.grants = access.Grants{} // the graph may be loaded partially
		a.fresh.Store(nil)
		return false, fmt.Errorf("load the grants: %w", err)
	}
	return true, nil
}
