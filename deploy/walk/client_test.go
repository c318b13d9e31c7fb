package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// played runs one step against a service that always answers the same, and gives the faults it found.
func played(t *testing.T, status int, header, body string, do func(s *step, a agent)) []fault {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", header)
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, body) // the client of the test sees what is missing
	}))
	t.Cleanup(server.Close)
	w := &walk{report: report{out: io.Discard}, ctx: t.Context(), http: client()}
	s := &step{w: w, name: "test"}
	s.run(func(s *step) { do(s, agent{name: "test", base: server.URL, header: shopHeader}) })
	return s.faults
}

func TestEnvelope(t *testing.T) {
	tests := map[string]struct {
		status int
		header string
		body   string
		want   string // part of the fault; nothing where the answer is right
	}{
		"right":              {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"price":1.00}}`, ""},
		"right failure":      {200, jsonType, `{"errno":402,"errmsg":"参数值不对"}`, ""},
		"right unknown path": {404, jsonType, `{"errno":404,"errmsg":"not found"}`, ""},
		"right oversize":     {413, jsonType, `{"errno":402,"errmsg":"too large"}`, ""},
		"other type":         {200, "text/html", `{"errno":0,"errmsg":"成功"}`, "Content-Type"},
		"no object":          {200, jsonType, `[]`, "no JSON object"},
		"something behind":   {200, jsonType, `{"errno":0,"errmsg":"成功"}{}`, "follows the JSON object"},
		"no errmsg":          {200, jsonType, `{"errno":0}`, "errmsg: expected a text, got nothing"},
		"errno as text":      {200, jsonType, `{"errno":"0","errmsg":"成功"}`, "errno: expected an integer"},
		"more members":       {200, jsonType, `{"errno":0,"errmsg":"成功","trace":1}`, `the member "trace"`},
		"failure with data":  {200, jsonType, `{"errno":402,"errmsg":"bad","data":{}}`, "a failure carries data"},
		"failure by status":  {500, jsonType, `{"errno":502,"errmsg":"bad"}`, "HTTP status: expected 200, got 500"},
		"404 with 200":       {200, jsonType, `{"errno":404,"errmsg":"bad"}`, "HTTP status: expected 404, got 200"},
		"SQL in the text":    {200, jsonType, `{"errno":502,"errmsg":"Error 1062: Duplicate entry '1'"}`, "internal"},
		"null":               {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"a":[{"b":null}]}}`, "data.a[0].b: null"},
		"money as text":      {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"price":"1.00"}}`, "data.price: expected"},
		"money as a float":   {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"actualPrice":1.5}}`, "data.actualPrice"},
		"time in other form": {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"addTime":"2026-01-01T00:00"}}`, "addTime"},
		"a password":         {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"password":"x"}}`, "never sent"},
		"a deleted row":      {200, jsonType, `{"errno":0,"errmsg":"成功","data":{"deleted":true}}`, "data.deleted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			faults := played(t, tt.status, tt.header, tt.body, func(s *step, a agent) { s.get(a, "/wx/some/thing") })
			expectFault(t, faults, tt.want)
		})
	}
}

func TestPage(t *testing.T) {
	tests := map[string]struct{ data, want string }{
		"right":             {`{"list":[{"id":1},{"id":2}],"total":5,"page":1,"limit":2,"pages":3}`, ""},
		"last":              {`{"list":[{"id":1}],"total":5,"page":3,"limit":2,"pages":3}`, ""},
		"behind the last":   {`{"list":[],"total":5,"page":4,"limit":2,"pages":3}`, ""},
		"empty":             {`{"list":[],"total":0,"page":1,"limit":10,"pages":0}`, ""},
		"pages too few":     {`{"list":[{"id":1},{"id":2}],"total":5,"page":1,"limit":2,"pages":2}`, "pages: expected 3"},
		"rows missing":      {`{"list":[{"id":1}],"total":5,"page":1,"limit":2,"pages":3}`, "rows of this page: expected 2"},
		"total without all": {`{"list":[{"id":1}],"page":1,"limit":2,"pages":3}`, "total: expected an integer, got nothing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body := `{"errno":0,"errmsg":"success","data":` + tt.data + `}`
			faults := played(t, 200, jsonType, body, func(s *step, a agent) { s.get(a, "/wx/some/list").page() })
			expectFault(t, faults, tt.want)
		})
	}
}

func TestShape(t *testing.T) {
	tests := map[string]struct{ data, shape, want string }{
		"right":      {`{"id":1,"n":"x","p":2.00,"b":true}`, "id int, n text, p money, b bool, t time?, l texts?", ""},
		"missing":    {`{"id":1}`, "id int, n text", "data.n: expected a text, got nothing"},
		"wrong kind": {`{"id":"1"}`, "id int", `data.id: expected an integer, got "1"`},
		"fraction":   {`{"id":1.0}`, "id int", "data.id: expected an integer"},
		"text money": {`{"min":"99.00"}`, "min moneytext", ""},
		"optional":   {`{"startTime":"2026-01-02 03:04:05"}`, "startTime time?", ""},
		"texts":      {`{"l":["a",1]}`, "l texts", "data.l[1]: expected a text"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body := `{"errno":0,"errmsg":"success","data":` + tt.data + `}`
			faults := played(t, 200, jsonType, body, func(s *step, a agent) { s.get(a, "/wx/x").ok().shape(tt.shape) })
			expectFault(t, faults, tt.want)
		})
	}
}

// expectFault expects a fault that contains the text, or none where the text is empty.
func expectFault(t *testing.T, faults []fault, want string) {
	t.Helper()
	if want == "" {
		if len(faults) > 0 {
			t.Errorf("unexpected fault: %s", faults[0].text)
		}
		return
	}
	for _, f := range faults {
		if strings.Contains(f.text, want) {
			return
		}
	}
	t.Errorf("no fault with %q among %v", want, faults)
}

func TestSecretsAreHidden(t *testing.T) {
	ex := &exchange{sent: `{"username":"a","password":"demo","code":"123456"}`, got: []byte(`{"data":{"token": "abc"}}`)}
	text := ex.String()
	for _, hidden := range []string{"demo", "123456", "abc"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%q is shown in %s", hidden, text)
		}
	}
	if !strings.Contains(text, `"username":"a"`) {
		t.Errorf("the rest is missing in %s", text)
	}
}

func TestStumbleIsAFault(t *testing.T) {
	faults := played(t, 200, jsonType, `{"errno":0,"errmsg":"success","data":[]}`, func(s *step, a agent) {
		s.get(a, "/wx/x").ok().list()[0].text()
	})
	expectFault(t, faults, "stumbled")
}

func TestReportWithoutAShop(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	var out bytes.Buffer
	o, err := parse([]string{"-storefront", gone.URL + "/", "-admin", gone.URL}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if play(t.Context(), o, &out) {
		t.Error("a walk without a shop passed")
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "ok ") && !strings.Contains(line, "leave ") && !strings.Contains(line, "take away ") {
			t.Errorf("passed without a shop: %q", line) // only where there is nothing to tidy up
		}
	}
	if !strings.Contains(out.String(), "FAIL  home page") || !strings.Contains(out.String(), "skip  ") {
		t.Errorf("a report without failures or skips:\n%s", out.String())
	}
}
