package app_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
)

// sends reports whether an operation reads a JSON body.
func sends(s op.Spec) bool {
	return s.Method == http.MethodPost && s.FilePart() == "" && (len(s.Fields()) > 0 || s.Free())
}

// Reading changes nothing, and what changes something is not reached by reading.
// TestWrongMethods asks by every method that is not offered.
func TestWrongMethods(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	super, all := w.Super(), digest(w)
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		for _, method := range []string{
			http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, "TRACE", "BREW",
		} {
			if slices.ContainsFunc(w.Handler.Specs, func(o op.Spec) bool { return o.Path == spec.Path && o.Method == method }) {
				continue
			}
			a := super.Send(method, spec.Path+"?id=1&orderId=1", strings.NewReader(`{"id":1}`)).Fails(errno.WrongMethod)
			require.Equal(t, http.StatusMethodNotAllowed, a.Status, a.Request)
			if spec.Access.NeedsToken() {
				w.Anonymous().Send(method, spec.Path, nil).Fails(errno.LoginRequired)
			}
		}
	}
	require.Equal(t, before, w.Shop.Text(all))
}

// Deep, large and foreign bodies, and forms, are refused, and change nothing.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	super, all, read := w.Super(), digest(w), 0
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		if !sends(spec) || spec.Path == "/admin/auth/login" {
			continue
		}
		read++
		super.RefusesBadBodies(spec.Path, "id")
		super.RefusesLargeBodies(spec.Path, "id", 4<<20)
		require.Equal(t, before, w.Shop.Text(all), spec.Key())
	}
	require.Greater(t, read, 40)
}

// What is no number where a number belongs, in every member of every operation, is refused as such.
func TestTextWhereANumberBelongs(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	super, all, tried := w.Super(), digest(w), 0
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		tried += super.RefusesTexts(spec)
	}
	require.Greater(t, tried, 100)
	require.Equal(t, before, w.Shop.Text(all))
}

// TestListPaging asks every list for a sort order that no list has.
//
// No sort word and no order reaches the database except those of the list itself.
func TestListPaging(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super, asked := w.Super(), 0
	for _, spec := range w.Handler.Specs {
		base := url.Values{}
		for _, f := range spec.Fields() {
			if f.Required {
				base.Set(f.Name, "1")
			}
		}
		for _, f := range spec.Fields() {
			for name, values := range map[string][]string{
				"sort": {
					"password", "id,add_time", "id desc", "(select sleep(5))", "`id`", "o.id", "add_time desc,(select sleep(5))",
					"add_time;drop table orders", "1", "add_time/**/",
				},
				"order": {"up", "desc limit 1,1", "desc,id", "desc--", "1", "(select 1)"},
				"limit": {"-1", "x", "1.5", "2147483648", "1 procedure analyse()"},
				"page":  {"0", "-1", "x", "2147483648"},
			} {
				if f.Name != name || spec.Method != http.MethodGet {
					continue
				}
				for _, v := range values {
					base.Set(name, v)
					super.GET("%s", spec.Path+"?"+base.Encode()).Fails(errno.Invalid).Clean()
					asked++
				}
				base.Del(name)
			}
		}
	}
	require.Greater(t, asked, 400)
}
