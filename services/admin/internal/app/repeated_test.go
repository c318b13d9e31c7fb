package app_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// repeating are the ways in which an operator comes to send a change a second time. Each sends it on one process, and
// perhaps on another, and returns the first answer.
var repeating = map[string]func(c change, here, there *optest.Client) *optest.Answer{
	"the answer arrives":         func(c change, here, _ *optest.Client) *optest.Answer { return c.sent(here) },
	"the answer is cut off":      func(c change, here, _ *optest.Client) *optest.Answer { return c.sent(here.Cut()) },
	"another process takes over": func(c change, here, _ *optest.Client) *optest.Answer { return c.sent(here.Cut()) },
	"the first is still running": meet,
}

// meet lets a repetition reach another process while the first one runs. It waits for the first answer, or is told that
// the first is under way.
func meet(c change, here, there *optest.Client) (first *optest.Answer) {
	var second *optest.Answer
	domaintest.Meet(
		func(wrap func(context.Context) context.Context) { first = c.send(here.Under(wrap)) },
		func(wrap func(context.Context) context.Context) { second = c.send(there.Under(wrap)) },
	)
	if first.OK(); second.Code() == errno.Stale {
		return first
	}
	second.Same(first)
	return first
}

// A change that requires a permission and is sent again with its Idempotency-Key gives the first answer and changes
// nothing, however the first answer was lost: it adds as many rows as one that is sent once. One that takes no keys can be
// repeated without them, with the same answer: it neither adds nor moves anything.
func TestEveryChangeCanBeRepeated(t *testing.T) {
	t.Parallel()
	once := map[string][]string{}
	alone := withCalledRows(t)
	for _, c := range calls(t) {
		before := alone.Shop.Texts(counts(alone))
		c.sent(alone.Super())
		once[c.path] = added(before, alone.Shop.Texts(counts(alone)))
	}
	for how, lost := range repeating {
		t.Run(how, func(t *testing.T) {
			w := withCalledRows(t)
			other := w
			if how == "another process takes over" || how == "the first is still running" {
				w.Super()
				other = w.Replica()
			}
			rows, called := digest(w), map[string]bool{}
			for i, c := range calls(t) {
				key := fmt.Sprintf("again-%d", i)
				here, there := w.Super().With("Idempotency-Key", key), other.Super().With("Idempotency-Key", key)
				before := w.Shop.Texts(counts(w))
				spec := specOf(t, w, c.path)
				if spec.IdempotencyScope == "" && how != "the answer arrives" {
					c.sent(w.Super())
					continue
				}
				first := lost(c, here, there)
				if spec.Access.Permission.Value == "" {
					continue
				}
				after := w.Shop.Text(rows)
				require.Equal(t, string(first.Body), string(c.sent(there).Body), c.path)
				if spec.IdempotencyScope == "" {
					continue
				}
				called[spec.Key()] = true
				require.Equal(t, after, w.Shop.Text(rows), c.path)
				require.Equal(t, once[c.path], added(before, w.Shop.Texts(counts(w))), "%s adds once", c.path)
			}
			for _, s := range w.Handler.Specs {
				require.True(t, s.IdempotencyScope == "" || called[s.Key()], "no call of %s", s.Key())
			}
		})
	}
}

func specOf(t *testing.T, w *apitest.Env, path string) op.Spec {
	t.Helper()
	i := slices.IndexFunc(w.Handler.Specs, func(s op.Spec) bool { return s.Method == "POST" && s.Path == path })
	require.GreaterOrEqual(t, i, 0, path)
	return w.Handler.Specs[i]
}

// counts is a query of the number of rows of each table but the keys themselves.
func counts(w *apitest.Env) string {
	query := ""
	for _, name := range w.Shop.Texts("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() " +
		"AND table_type = 'BASE TABLE' AND table_name <> 'idempotency' ORDER BY 1") {
		query += fmt.Sprintf(" UNION ALL SELECT CONCAT('%s ', COUNT(*)) FROM `%s`", name, name)
	}
	return query[len(" UNION ALL "):]
}

// added are the differences of two answers of counts.
func added(before, after []string) (all []string) {
	for i := range before {
		var name string
		var from, to int
		_, _ = fmt.Sscan(before[i], &name, &from)
		_, _ = fmt.Sscan(after[i], &name, &to)
		if to != from {
			all = append(all, fmt.Sprintf("%s %+d", name, to-from))
		}
	}
	return all
}
