package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// tokenHeaders are the header of the service and the alias that older clients send.
func tokenHeaders() []string { return []string{"X-Shop-Admin-Token", "X-Litemall-Admin-Token"} }

// nowhere is the id of no row.
const nowhere = 987654321

// invalidTokens returns invalid tokens by the reason.
func invalidTokens(w *apitest.Env) map[string]string {
	expired := w.Token("old", "*")
	w.Shop.Clock.Move(25 * time.Hour)
	tokens := map[string]string{
		"none": "", "unknown": "unknown", "long": strings.Repeat("x", 5000), "SQL": "' or '1'='1",
		"made outside": "eyJhbGciOiJub25lIn0.eyJ1c2VySWQiOjF9.", "expired": expired,
		"a shopper's": w.Shop.Token(w.Shop.Shopper("shopper")),
		"disabled":    w.Token("disabled", "*"), "deleted": w.Token("deleted", "*"), "logged out": w.Token("out", "*"),
	}
	w.Shop.Exec("UPDATE admin SET status = 1 WHERE username = 'disabled'")
	w.Shop.Exec("UPDATE admin SET deleted = 1, del_mark = id WHERE username = 'deleted'")
	w.Operator("out").POST("/admin/auth/logout", "").OK()
	return tokens
}

// A caller without access learns nothing else, such as that the body is malformed or too deep; and nothing changes. Each
// operation meets every invalid token, and in turn one header and one body with it.
//
// It covers CVE-2025-8974: a token of the other service, of an ended session or forged outside opens nothing.
func TestCallsWithoutAToken(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	tokens, all, guarded := invalidTokens(w), digest(w), 0
	flaws, bodies := slices.Sorted(maps.Keys(tokens)), []string{`{}`, `{`, strings.Repeat("[", 10_000)}
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		if !spec.Access.NeedsToken() {
			continue
		}
		for i, flaw := range flaws {
			header, body := tokenHeaders()[(guarded/3+i)%2], bodies[(guarded+i)%3]
			a := w.Anonymous().With(header, tokens[flaw]).Send(spec.Method, spec.Path+"?limit=-1&id=x", strings.NewReader(body))
			require.Equal(t, errno.LoginRequired, a.Code(), "%s: %s in %s", a.Request, flaw, header)
		}
		guarded++
		require.Equal(t, before, w.Shop.Text(all), spec.Key())
	}
	require.Greater(t, guarded, 100)
}

// A caller without the permission learns nothing else either.
func TestCallsWithoutThePermission(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	clerk, all, permitted := w.Operator("clerk"), digest(w), 0
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		if spec.Access.Permission.Value == "" {
			continue
		}
		permitted++
		for _, body := range []string{`{"id":1}`, `{`, strings.Repeat("[", 10_000)} {
			clerk.Send(spec.Method, spec.Path+"?limit=-1&id=x", strings.NewReader(body)).Fails(errno.NoPermission)
		}
		require.Equal(t, before, w.Shop.Text(all), spec.Key())
	}
	require.Greater(t, permitted, 90)
}

// good is a valid value for a member, as in a body.
func good(f op.Field) string {
	switch {
	case f.Kind == op.List && f.Item != nil:
		return "[" + good(*f.Item) + "]"
	case f.Kind == op.Object:
		return "{" + full(f.Members) + "}"
	case f.Kind == op.Boolean:
		return "false"
	case len(f.Enum) > 0:
		return fmt.Sprintf("%q", f.Enum[len(f.Enum)-1])
	case strings.HasSuffix(f.Name, "Time"):
		return `"2030-06-01 00:00:00"`
	case f.URL:
		return `"https://shop.test/a.png"`
	}
	return `"1"`
}

// full is the content of an object with a valid value in every member.
func full(fields []op.Field) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = fmt.Sprintf("%q:%s", f.Name, good(f))
	}
	return strings.Join(all, ",")
}

// An unknown id is found by no read, changed by no change and ignored by deletes, whichever member contains it.
//
// Unknown ids are reported as such, and nothing crashes.
func TestRowsThatAreNot(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super, all, tried := w.Super(), digest(w, recordTables()...), 0
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		for i, f := range spec.Fields() {
			if f.Kind != op.ID && (f.Kind != op.List || f.Item == nil || f.Item.Kind != op.ID) || spec.FilePart() != "" {
				continue
			}
			// Rows that are created, and filters of lists, need not refer to an existing row.
			own := f.Name == "id" || f.Name == "ids" || strings.HasPrefix(spec.Path, "/admin/order")
			if spec.Method == http.MethodPost && !own {
				continue
			}
			tried++
			a := calledWith(super, spec, i).Clean()
			require.Equal(t, before, w.Shop.Text(all), "%s %s: %s", spec.Key(), f.Name, a.Body)
		}
	}
	require.Greater(t, tried, 50)
}

// calledWith calls an operation with an unknown id in one field and valid values in all others.
func calledWith(c *optest.Client, s op.Spec, field int) *optest.Answer {
	fields := s.Fields()
	if s.Method == http.MethodGet {
		query := url.Values{fields[field].Name: {fmt.Sprint(nowhere)}}
		for _, f := range fields {
			if f.Required && !query.Has(f.Name) {
				query.Set(f.Name, "1")
			}
		}
		return c.GET("%s", s.Path+"?"+query.Encode())
	}
	fields = append(fields[:field:field], fields[field+1:]...)
	id := fmt.Sprint(nowhere)
	if s.Fields()[field].Kind == op.List {
		id = "[" + id + "]"
	}
	body := fmt.Sprintf("%q:%s", s.Fields()[field].Name, id)
	if len(fields) > 0 {
		body += "," + full(fields)
	}
	return c.POST(s.Path, "%s", "{"+body+"}")
}

// foreign are undeclared members: what other decoders take for types, prototypes or commands, columns that clients must
// not set, and declared names in other spellings.
const foreign = `"@type":"com.sun.rowset.JdbcRowSetImpl","@class":"java.lang.Runtime","$type":"x","$where":"1",` +
	`"__proto__":{"isAdmin":true,"roleIds":[1]},"constructor":{"prototype":{"userId":2}},"class":{"module":{}},` +
	`"user_id":2,"addTime":"2001-01-01","add_time":1,"deleted":true,"delMark":9,"version":99,"orderStatus":203,` +
	`"":1,"ID":2,"OrderId":2,"id ":2,"\u0000id":2`

// stood is what no call may change by undeclared members.
const stood = "SELECT CONCAT_WS('|', " +
	"(SELECT GROUP_CONCAT(CONCAT_WS(',', id, order_status, deleted) ORDER BY id) FROM orders), " +
	"(SELECT GROUP_CONCAT(CONCAT_WS(',', id, deleted, YEAR(add_time)) ORDER BY id) FROM admin), " +
	"(SELECT GROUP_CONCAT(CONCAT_WS(',', id, deleted, YEAR(add_time)) ORDER BY id) FROM role), " +
	"(SELECT GROUP_CONCAT(CONCAT_WS(',', id, deleted, YEAR(add_time)) ORDER BY id) FROM goods), " +
	"(SELECT GROUP_CONCAT(CONCAT_WS(',', id, deleted, YEAR(add_time)) ORDER BY id) FROM topic))"

// Members named like types and prototypes are ignored like any other unknown ones, wherever they are; of repeated
// members the last one counts. All operations answer as without them.
func TestForeignAndDoubledMembers(t *testing.T) {
	t.Parallel()
	plain, first, last, doubled := seeded(t), seeded(t), seeded(t), seeded(t)
	read := 0
	for _, spec := range plain.Handler.Specs {
		if !sends(spec) || spec.Free() || spec.Path == "/admin/auth/login" || spec.Path == "/admin/profile/password" {
			continue
		}
		read++
		plainly, twice := full(spec.Fields()), []string{}
		for _, f := range spec.Fields() {
			twice = append(twice, fmt.Sprintf("%q:{\"@type\":[[]]},%q:null,%q:%s", f.Name, f.Name, f.Name, good(f)))
		}
		want := plain.Super().POST(spec.Path, "%s", "{"+plainly+"}").Clean()
		for what, a := range map[string]*optest.Answer{
			"foreign members first": first.Super().POST(spec.Path, "%s", "{"+foreign+","+plainly+"}"),
			"foreign members last":  last.Super().POST(spec.Path, "%s", "{"+plainly+","+foreign+"}"),
			"doubled members":       doubled.Super().POST(spec.Path, "%s", "{"+strings.Join(twice, ",")+"}"),
		} {
			a.Clean()
			require.Equal(t, want.Code(), a.Code(), "%s with %s: %s\nwithout: %s", spec.Key(), what, a.Body, want.Body)
		}
	}
	require.Greater(t, read, 50)
	for _, w := range []*apitest.Env{first, last, doubled} {
		require.Equal(t, plain.Shop.Text(stood), w.Shop.Text(stood))
	}
}

// A valid value does not save a member that is repeated with an invalid one, and nothing changes.
func TestTheLastOfDoubledMembersCounts(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super, all, tried := w.Super(), digest(w), 0
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		if !sends(spec) || spec.Path == "/admin/auth/login" {
			continue
		}
		whole := full(spec.Fields())
		for _, f := range spec.Fields() {
			a := super.POST(spec.Path, "%s", "{"+whole+","+fmt.Sprintf("%q:[[[]]]", f.Name)+"}")
			a.Request += " with a second " + f.Name
			a.Refused()
			tried++
		}
	}
	require.Equal(t, before, w.Shop.Text(all))
	require.Greater(t, tried, 100)
}
