package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

// foreign are undeclared members: what other decoders take for types, prototypes or commands, columns that clients must
// not set, and declared names in other spellings.
const foreign = `"@type":"com.sun.rowset.JdbcRowSetImpl","@class":"java.lang.Runtime","$type":"x","$where":"1",` +
	`"__proto__":{"isAdmin":true,"orderId":1},"constructor":{"prototype":{"userId":2}},"class":{"module":{}},` +
	`"userId":2,"user_id":2,"addTime":"2001-01-01","add_time":1,"deleted":true,"version":99,"orderStatus":203,` +
	`"adminContent":"x","actualPrice":"0.01","":1,"ID":2,"OrderId":2,"id ":2,"\u0000id":2,"cart_id":2,"ids":{"$ne":0}`

// sends reports whether an operation has a JSON body.
func sends(s op.Spec) bool {
	return s.Method == http.MethodPost && !s.IsRaw() && s.Path != "/wx/storage/upload"
}

// full is a body with a valid value in every member, as write encodes it.
func (p *twoShoppers) full(s op.Spec, write func(name, value string) string) string {
	p.t.Helper()
	var all []string
	for _, f := range s.Fields() {
		v := fmt.Sprintf("%q", p.value(s, f))
		switch f.Kind {
		case op.List:
			v = "[" + v + "]"
		case op.Object:
			v = "{}"
		}
		all = append(all, write(f.Name, v))
	}
	return strings.Join(all, ",")
}

// once encodes a member unchanged.
func once(name, value string) string { return fmt.Sprintf("%q:%s", name, value) }

// Members named like types and prototypes are ignored like any other unknown ones, wherever they are; of repeated
// members the last one counts. All operations answer as without them.
func TestForeignAndDoubledMembers(t *testing.T) {
	t.Parallel()
	plain, first, last, doubled := newTwoShoppers(t), newTwoShoppers(t), newTwoShoppers(t), newTwoShoppers(t)
	taken, read := 0, 0
	for _, spec := range plain.API.Specs {
		if !sends(spec) {
			continue
		}
		read++
		ask := func(p *twoShoppers, body string) *optest.Answer {
			t.Helper()
			return p.As(p.mine).POST(path(spec), "%s", body).Clean()
		}
		good := plain.full(spec, once)
		separate := ","
		if good == "" {
			separate = ""
		}
		want := ask(plain, "{"+good+"}")
		got := map[string]*optest.Answer{
			"foreign members first": ask(first, "{"+foreign+separate+good+"}"),
			"foreign members last":  ask(last, "{"+good+separate+foreign+"}"),
			"doubled members": ask(doubled, "{"+doubled.full(spec, func(name, value string) string {
				return fmt.Sprintf("%q:{\"@type\":[[]]},%q:null,%s", name, name, once(name, value))
			})+"}"),
		}
		for what, a := range got {
			require.Equal(t, want.Code(), a.Code(), "%s with %s: %s\nwithout: %s", spec.Key(), what, a.Body, want.Body)
			if !strings.Contains(string(want.Body), `"token":`) {
				require.Equal(t, string(want.Body), string(a.Body), "%s with %s", spec.Key(), what)
			}
		}
		if want.Code() == errno.OK {
			taken++
		}
	}
	require.Greater(t, read, 30)
	require.Greater(t, taken, 10)
	for _, p := range []*twoShoppers{first, last, doubled} {
		const owned = "SELECT CONCAT_WS('|', (SELECT COUNT(*) FROM orders), (SELECT GROUP_CONCAT(order_status ORDER BY id) FROM " +
			"orders), (SELECT GROUP_CONCAT(CONCAT(user_id, deleted) ORDER BY id) FROM address), (SELECT GROUP_CONCAT(CONCAT(" +
			"user_id, value_id, admin_content, add_time, deleted) ORDER BY id) FROM comment), (SELECT COUNT(*) FROM cart))"
		require.Equal(t, plain.Domain.Text(owned), p.Domain.Text(owned))
	}
}

// A valid value does not save a member that is repeated with an invalid one, and nothing changes.
func TestTheLastOfDoubledMembersCounts(t *testing.T) {
	t.Parallel()
	p := newTwoShoppers(t)
	me, all, tried := p.As(p.mine), everything(p.Shop), 0
	before := p.Domain.Text(all)
	for _, spec := range p.API.Specs {
		if !sends(spec) {
			continue
		}
		good := p.full(spec, once)
		for _, f := range spec.Fields() {
			a := me.POST(path(spec), "%s", "{"+good+","+once(f.Name, "[[[]]]")+"}")
			a.Request += " with a second " + f.Name
			a.Refused()
			tried++
		}
	}
	require.Equal(t, before, p.Domain.Text(all))
	require.Greater(t, tried, 80)
}
