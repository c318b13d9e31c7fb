package optest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
)

// traces are words by which an answer would show the inside of a service: statements, files and stacks.
var traces = []string{"sql", "goroutine", ".go:", "select ", "panic", "gorm", "/internal/", "/etc/"}

// Clean requires that the answer is no internal error and shows nothing of the inside of the service.
func (a *Answer) Clean() *Answer {
	a.t.Helper()
	a.expect(a.Code() != errno.Internal, "an internal error")
	body := strings.ToLower(string(a.Body))
	for _, word := range traces {
		a.expect(!strings.Contains(body, word), "the answer contains %q", word)
	}
	return a
}

// Refused requires a clean answer that says that the request was not understood, as errno.Missing or errno.Invalid.
func (a *Answer) Refused() *Answer {
	a.t.Helper()
	a.Clean()
	a.expect(a.Code() == errno.Invalid || a.Code() == errno.Missing, "want a refusal")
	return a
}

// badBodies are bodies that are not the JSON object of a request that has a member.
func badBodies(member string) map[string]string {
	return map[string]string{
		"10,000 brackets":        strings.Repeat("[", 10_000),
		"10,000 nested objects":  strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"deep in a member":       `{"` + member + `":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		"a list":                 `[]`,
		"a list of one":          `[{"` + member + `":1}]`,
		"a number":               `1`,
		"a text":                 `"{}"`,
		"null":                   `null`,
		"half an object":         `{"` + member + `":1`,
		"two objects":            `{}{}`,
		"a form":                 member + `=1&userId=2`,
		"XML":                    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
		"not text":               "\xff\xfe\x00",
		"a comment":              `{/* */}`,
		"a comma too many":       `{"` + member + `":1,}`,
		"an endless string open": `{"` + member + `":"`,
	}
}

// RefusesBadBodies sends bodies that are malformed, too deep or in another format to a path, and requires that each is
// refused. Where a body has a member, it is the one named.
func (c *Client) RefusesBadBodies(path, member string) {
	c.t.Helper()
	for what, body := range badBodies(member) {
		a := c.POST(path, "%s", body)
		a.Request += " with " + what
		a.Refused()
	}
}

// RefusesLargeBodies sends a body of a little more than limit bytes, the most that the service reads, and requires the
// HTTP status that says so.
func (c *Client) RefusesLargeBodies(path, member string, limit int) {
	c.t.Helper()
	body := strings.NewReader(`{"` + member + `":"` + strings.Repeat("x", limit) + `"}`)
	a := c.Send(http.MethodPost, path, body).Fails(errno.Invalid)
	a.expect(a.Status == http.StatusRequestEntityTooLarge, "want HTTP status 413")
}

// RefusesTexts sends texts in place of numbers, in each member of an operation that is a number or a list of numbers,
// and requires that each is refused. It returns the number of these members.
func (c *Client) RefusesTexts(s op.Spec) (tried int) {
	c.t.Helper()
	for _, f := range s.Fields() {
		kind := f.Kind
		if kind == op.List && f.Item != nil {
			kind = f.Item.Kind
		}
		values := []string{"x", "1 or 1=1", "0x10", "1e", "--1", "９", "99999999999999999999", "1;drop table orders", "1,x"}
		switch kind {
		case op.Integer, op.ID:
			values = append(values, "1.5")
		case op.Decimal:
		case op.Boolean, op.Text, op.List, op.Object:
			continue
		}
		tried++
		for _, value := range values {
			c.sendOne(s, f.Name, value).Refused()
		}
	}
	return tried
}

// sendOne sends a request with one member.
func (c *Client) sendOne(s op.Spec, member, value string) *Answer {
	c.t.Helper()
	if s.Method == http.MethodGet {
		return c.Send(s.Method, s.Path+"?"+url.Values{member: {value}}.Encode(), nil)
	}
	body := fmt.Sprintf("{%q:%q}", member, value)
	a := c.POST(s.Path, "%s", body)
	a.Request += " " + body
	return a
}
