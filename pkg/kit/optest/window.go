package optest

import (
	"encoding/json"
	"net/url"
	"slices"

	"shop.internal/pkg/domain/platform/errno"
)

// Listed is the data of an answer with a page.
type Listed struct {
	List  []json.RawMessage `json:"list"`
	Total int               `json:"total"`
	Page  int               `json:"page"`
	Limit int               `json:"limit"`
	Pages int               `json:"pages"`
}

// Rows are the rows as JSON, in their order.
func (l Listed) Rows() []string {
	rows := make([]string, len(l.List))
	for i, row := range l.List {
		rows[i] = string(row)
	}
	return rows
}

// IDs requires success and returns the ids of the rows of a page, in their order.
func (a *Answer) IDs() []int64 {
	a.t.Helper()
	var l struct{ List []struct{ ID int64 } }
	a.Data(&l)
	ids := make([]int64, len(l.List))
	for i, row := range l.List {
		ids[i] = row.ID
	}
	return ids
}

// hostile are values that no list expects.
func hostile() []string {
	return []string{
		"", " ", "0", "-1", "1e3", "0x10", "1.0", "+1", "007", "９", "true", "null", "undefined", "NaN",
		"[]", "{}", "1,2", "1;2", "10001", "2147483647", "2147483648", "-2147483649", "99999999999999999999",
		"password", "id", "ID", "id desc", "id,add_time", "`id`", "o.id", "r.id", "add_time/**/",
		"add_time;drop table orders", "(select sleep(5))", "1 or 1=1",
		"' or '1'='1", "\"", "\\", "%", "%s", "_", "\x00", "\xff", "é", "desc", "DESC", "asc", "desc limit 1,1", "desc--",
		"../../etc/passwd", "<script>", "${jndi:ldap://x}", "\r\nX: y",
	}
}

// HostileWindows asks a list for pages and orders that no list expects, and requires that each is refused, or answered
// with some rows of the whole list. Each value is tried as the order of the rows, which every list has of its own, and
// as one of the other parameters: turn, the number of the list, says which. query is the path and the beginning of the
// query, up to its last &. It returns how many were refused and how many answered.
func (c *Client) HostileWindows(query string, whole Listed, turn int) (refused, answered int) {
	c.t.Helper()
	all, others := whole.Rows(), []string{"page", "limit", "order"}
	for i, value := range hostile() {
		for _, name := range []string{"sort", others[(i+turn)%len(others)]} {
			a := c.GET("%s", query+url.Values{name: {value}}.Encode()).Clean()
			if a.Code() == errno.Invalid {
				refused++
				continue
			}
			answered++
			var l Listed
			a.Data(&l)
			a.expect(l.Total == len(all) && len(l.List) <= l.Limit, "want at most %d of %d rows", l.Limit, len(all))
			for _, row := range l.Rows() {
				a.expect(slices.Contains(all, row), "%s is no row of the list", row)
			}
		}
	}
	return refused, answered
}
