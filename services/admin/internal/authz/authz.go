// Package authz decides whether an operator may call an operation, and has the registry of all permissions. The grants
// of package access are held in memory by Casbin as a graph: operator to role, role to permission. The graph follows
// every change: at once in the process that made it, within a fraction of a second in others, and within seconds if
// Redis is down.
package authz

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/access"
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
	// maxStale is how old the last check may be for decisions that are made while somebody else checks again. The promise
	// that a change takes effect within a second includes it.
	maxStale = 800 * time.Millisecond
	// reloadTimeout is the timeout of a check with its reload.
	reloadTimeout = 5 * time.Second
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
	// running is the check under way, nil for none: there is one at a time.
	running atomic.Pointer[check]
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
	known, err := a.refresh(ctx)
	if err != nil {
		return err
	}
	allowed, err := known.verdicts.of(cacheKey{operator, value}, a.decide)
	if err != nil {
		return fmt.Errorf("decide %s for operator %d: %w", value, operator, err)
	}
	if !allowed {
		return fmt.Errorf("operator %d lacks %s: %w", operator, value, errno.NoPermission)
	}
	return nil
}

// CheckRole fails like Check if the role does not grant the permission; a disabled role grants none.
func (a *Authority) CheckRole(ctx context.Context, role int64, value string) error {
	if _, err := a.refresh(ctx); err != nil {
		return err
	}
	allowed, err := a.grants(roleNode(role), value) // not kept: callers name any id
	if err != nil {
		return fmt.Errorf("decide %s for role %d: %w", value, role, err)
	}
	if !allowed {
		return fmt.Errorf("role %d does not grant %s: %w", role, value, errno.NoPermission)
	}
	return nil
}

// decide decides about an operator.
func (a *Authority) decide(q cacheKey) (bool, error) {
	return a.grants(operatorNode(q.operator), q.value)
}

// grants evaluates the graph.
func (a *Authority) grants(node, value string) (bool, error) {
	return a.enforcer.Enforce(node, leafNode(value), leafNode(access.Super))
}

// check is a comparison of the grants with Redis, and their reload if need be.
type check struct {
	// generation is that of the grants when it began.
	generation int64
	done       chan struct{}
	state      *state
	err        error
}

var errUnfinished = errors.New("check the grants: unfinished")

// refresh updates the grants if needed, and returns their state. While one caller checks, the others decide by the
// grants of the last check if that is recent and this process has changed none since; otherwise they wait for it.
func (a *Authority) refresh(ctx context.Context) (*state, error) {
	wanted := a.access.Generation()
	for {
		known := a.fresh.Load()
		if a.current(known) {
			return known, nil
		}
		running, mine := a.begin()
		switch {
		case mine:
			a.finish(ctx, running)
		case known != nil && known.generation == a.access.Generation() && a.now().Sub(known.looked) < maxStale:
			return known, nil
		}
		select {
		case <-running.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the grants: %w", ctx.Err())
		}
		if running.err != nil || running.generation >= wanted {
			return running.state, running.err
		}
	}
}

// begin returns the check under way, or a new one that the caller has to finish.
func (a *Authority) begin() (c *check, mine bool) {
	next := &check{generation: a.access.Generation(), done: make(chan struct{}), err: errUnfinished}
	for {
		if a.running.CompareAndSwap(nil, next) {
			return next, true
		}
		if other := a.running.Load(); other != nil {
			return other, false
		}
	}
}

// finish does a check. It does not end with the request that began it, since others wait for it too.
func (a *Authority) finish(ctx context.Context, c *check) {
	defer close(c.done)
	defer a.running.Store(nil)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reloadTimeout)
	defer cancel()
	c.state, c.err = a.updated(ctx, c.generation)
}

// updated compares the version of the grants and reloads them if it differs or they are old.
func (a *Authority) updated(ctx context.Context, generation int64) (*state, error) {
	known := a.fresh.Load()
	if a.current(known) {
		return known, nil // another call has just done it
	}
	// The versions are read before the grants, so that a change during the load is noticed next time.
	next := state{generation: generation, looked: a.now()}
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
