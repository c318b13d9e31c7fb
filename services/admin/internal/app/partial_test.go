package app_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

// edits has for every update of a record a value of each member that the record does not have yet.
var edits = map[string]map[string]any{
	"ad": {
		"name": "n", "content": "c", "url": "https://shop.test/n.png", "link": "https://shop.test/n", "position": 2,
		"enabled": false, "startTime": "2031-01-01 00:00:00", "endTime": "2031-02-01 00:00:00",
	},
	"admin": {"username": "renamed", "avatar": "https://shop.test/n.png", "roleIds": []int{2, 3}},
	"brand": {"name": "n", "desc": "d", "picUrl": "https://shop.test/n.png", "sortOrder": 7, "floorPrice": 8.5},
	"category": {
		"name": "n", "keywords": "k", "desc": "d", "pid": 1, "iconUrl": "https://shop.test/i.png",
		"picUrl": "https://shop.test/n.png", "level": "L2", "sortOrder": 7,
	},
	"coupon": {
		"name": "n", "desc": "d", "tag": "t", "total": 70, "discount": 3.5, "min": 9.5, "limit": 4, "type": 2, "status": 2,
		"goodsType": 2, "goodsValue": []int{2}, "timeType": 1, "days": 5, "startTime": "2031-01-01 00:00:00",
		"endTime": "2031-02-01 00:00:00",
	},
	"goods": {
		"goodsSn": "N-7", "name": "n", "categoryId": 2, "brandId": 1, "gallery": []string{"https://shop.test/g.png"},
		"keywords": "k", "brief": "b", "isOnSale": false, "sortOrder": 7, "picUrl": "https://shop.test/n.png",
		"isNew": true, "isHot": true, "unit": "u", "counterPrice": 8.5, "detail": "<p>n</p>",
	},
	"groupon": {"goodsId": 3, "discount": 3, "discountMember": 4, "expireTime": "2031-02-01 00:00:00"},
	"issue":   {"question": "q", "answer": "n"},
	"keyword": {
		"keyword": "k", "url": "https://shop.test/n", "isHot": true, "isDefault": true, "sortOrder": 7,
	},
	"notice":  {"title": "t", "content": "<p>n</p>"},
	"role":    {"name": "n", "desc": "d", "enabled": false},
	"storage": {"name": "n.png"},
	"topic": {
		"title": "t", "subtitle": "s", "content": "<p>n</p>", "price": 8.5, "readCount": "7k", "picUrl": "https://shop.test/n.png",
		"sortOrder": 7, "goods": []int{1},
	},
	"user": {"nickname": "n", "mobile": "13900000000", "gender": 2, "userLevel": 2, "status": 2},
}

// An update leaves every member that it does not name as it is, whichever members it names: first all of them, then all
// but one, then one alone.
func TestAnUpdateLeavesWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	w := withCalledRows(t)
	w.Shop.Exec("INSERT INTO category (name, level, pid, add_time, update_time) SELECT 'c', 'L1', 0, add_time, update_time " +
		"FROM category WHERE id = 1")
	w.Shop.Exec("DELETE FROM groupon WHERE rules_id = 1") // the goods of a rule stay once there is a group
	super := w.Super()
	ids := map[string]int64{"admin": 2, "category": 3, "role": 2, "groupon": 1}
	tested := 0
	for _, s := range w.Handler.Specs {
		area, isUpdate := strings.CutSuffix(strings.TrimPrefix(s.Path, "/admin/"), "/update")
		if !isUpdate {
			continue
		}
		tested++
		values, id := edits[area], max(ids[area], 1)
		update := func(members map[string]any) *optest.Answer {
			body := maps.Clone(members)
			body["id"] = id
			if area == "goods" {
				body = map[string]any{"goods": body}
			}
			return super.POST(s.Path, "%s", encoded(t, body))
		}
		fields := editable(s.Fields())
		require.ElementsMatch(t, slices.Collect(maps.Keys(fields)), slices.Collect(maps.Keys(values)), s.Path)
		before := recordOf(t, super, area, id)
		update(values).OK()
		all := recordOf(t, super, area, id)
		for name := range values {
			if !derived[area+"."+name] {
				require.NotEqual(t, before[name], all[name], "%s: %s is another now", s.Path, name)
			}
		}
		for name := range values {
			others := maps.Clone(values)
			delete(others, name)
			update(others).OK()
			require.Equal(t, all, recordOf(t, super, area, id), "%s without %s", s.Path, name)
			update(map[string]any{name: values[name]}).OK()
			require.Equal(t, all, recordOf(t, super, area, id), "%s with nothing but %s", s.Path, name)
		}
		for name, f := range fields {
			if f.Kind == op.Text && f.Show.As != op.ShowTime && len(f.Enum) == 0 && update(map[string]any{name: ""}).Code() == errno.OK {
				require.Empty(t, recordOf(t, super, area, id)[name], "%s: a text that is taken away is gone", s.Path)
			}
		}
	}
	require.Equal(t, len(edits), tested)
}

// derived are members that the service decides itself with the values of edits: a coupon with fixed dates has no days.
var derived = map[string]bool{"coupon.days": true}

// editable returns the members of an update that a record has: without what says which record, and as of when, and
// without those that no page shows: second names, and the password of an operator, which an update does not change.
func editable(fields []op.Field) map[string]op.Field {
	found := map[string]op.Field{}
	for _, f := range fields {
		switch {
		case f.Name == "goods" && f.Kind == op.Object:
			return editable(f.Members)
		case f.Name != "id" && f.Name != "expectedUpdateTime" && f.Name != "updateTime" && f.Show.As != op.ShowNone:
			found[f.Name] = f
		}
	}
	return found
}

// recordOf returns a record as operators read it, with what stands beside it, but for the time of its last change.
func recordOf(t *testing.T, as *optest.Client, area string, id int64) map[string]any {
	t.Helper()
	read := map[string]string{"category": "read", "goods": "detail", "topic": "read"}[area]
	var record map[string]any
	if read == "" {
		record = rowIn(as, "/admin/"+area, id)
	} else {
		as.GET("/admin/%s/%s?id=%d", area, read, id).OK().Data(&record)
	}
	if members, wrapped := record[area].(map[string]any); wrapped {
		delete(record, area)
		maps.Copy(record, members)
	}
	delete(record, "updateTime")
	return record
}

// A change of settings leaves those that it does not name.
func TestSettingsThatAreNotNamedStay(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super := w.Super()
	for _, group := range []string{"mall", "express", "order", "wx"} {
		path := "/admin/config/" + group
		read := func() (all map[string]string) {
			super.GET(path).OK().Data(&all)
			return all
		}
		for name, value := range read() {
			want := read()
			changed := map[string]string{"true": "false", "false": "true"}[value]
			if changed == "" {
				changed = "7"
			}
			if name == "litemall_mall_address" {
				changed = "x"
			}
			want[name] = changed
			super.POST(path, `{%q:%q}`, name, changed).OK()
			require.Equal(t, want, read(), "%s with nothing but %s", path, name)
		}
	}
}
