package optest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
)

// Answer is the answer of a service. Its methods return it, so that they can be chained, and stop the test for an
// unexpected answer.
type Answer struct {
	// Spec is the operation that answered, nil for an unknown path.
	Spec *op.Spec
	// Request is the method and the path with its query.
	Request string
	Status  int
	Header  http.Header
	Body    []byte
	// Statements is the number of SQL statements, if the API counts them.
	Statements int
	// Beside are further golden files of the answer, for other effects of the call, by the suffix of their names.
	Beside map[string][]byte

	t        testing.TB
	code     *errno.Code
	held     bool // whether Is has compared the data
	envelope struct {
		Errno  *int            `json:"errno"`
		Errmsg *string         `json:"errmsg"`
		Data   json.RawMessage `json:"data"`
	}
}

// check checks the form of the envelope and that the code is declared.
func (a *Answer) check() {
	a.t.Helper()
	if a.Spec != nil && a.Spec.IsRaw() && a.Header.Get("Content-Type") != envelope.ContentType {
		return
	}
	if a.Status == http.StatusNotModified {
		a.expect(len(a.Body) == 0 && a.Spec != nil && a.Spec.Shared(),
			"status 304 with a body, or where no cache may keep it")
		return
	}
	a.expect(a.Header.Get("Content-Type") == envelope.ContentType, "content type %q", a.Header.Get("Content-Type"))
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.DisallowUnknownFields()
	err := d.Decode(&a.envelope)
	a.expect(err == nil, "not an envelope: %v", err)
	e := a.envelope
	a.expect(e.Errno != nil && e.Errmsg != nil && *e.Errmsg != "", "no errno or no errmsg")
	a.expect(*e.Errno == 0 || e.Data == nil, "a failure with data")
	a.expect(string(e.Data) != "null", "data is null")
	a.code = codeOf(*e.Errno, *e.Errmsg)
	a.expect(a.code != nil, "errno %d with this errmsg is no row of the error table", *e.Errno)
	a.expect(!mute(a.code, *e.Errmsg), "the errmsg does not say what is wrong")
	a.checkStatus()
	if a.Spec != nil {
		a.expect(slices.Contains(a.Spec.Codes(), a.code), "%s is not among the operation's Fails", a.code.Name)
	}
}

func (a *Answer) checkStatus() {
	a.t.Helper()
	want := []int{http.StatusOK}
	switch a.code {
	case errno.UnknownPath:
		want = []int{http.StatusNotFound}
	case errno.WrongMethod:
		want = []int{http.StatusMethodNotAllowed}
	case errno.Invalid:
		want = append(want, http.StatusRequestEntityTooLarge)
	}
	a.expect(slices.Contains(want, a.Status), "HTTP status %d", a.Status)
}

// codeOf finds the code of an answer. If two codes share a number, the beginning of errmsg distinguishes them.
func codeOf(num int, errmsg string) *errno.Code {
	var found []*errno.Code
	for _, c := range errno.All() {
		if c.Num == num {
			found = append(found, c)
		}
	}
	if len(found) == 1 && num != errno.OK.Num {
		return found[0]
	}
	for _, c := range found {
		if strings.HasPrefix(errmsg, c.Text(text.Chinese)) || strings.HasPrefix(errmsg, c.Text(text.English)) {
			return c
		}
	}
	return nil
}

// memberName matches JSON names of members, which people must not see.
var memberName = regexp.MustCompile(`[a-z][A-Z]`)

// foreignWords look like members but are not: columns of a file, and units.
var foreignWords = regexp.MustCompile(`「[^」]*」|[KMG]iB`)

// mute reports whether an errmsg does not say what is wrong: the generic text of a code with many causes, or the name
// of a member instead of its label.
func mute(code *errno.Code, errmsg string) bool {
	general := code == errno.Missing || code == errno.Invalid
	ours := foreignWords.ReplaceAllString(errmsg, "")
	own := errmsg == code.Text(text.Chinese) || errmsg == code.Text(text.English)
	return general && (own || memberName.MatchString(ours))
}

func (a *Answer) expect(holds bool, format string, args ...any) {
	a.t.Helper()
	if !holds {
		a.t.Fatalf("%s: "+format+"\nanswer: HTTP %d %s", append(append([]any{a.Request}, args...), a.Status, a.Body)...)
	}
}

// succeeded reports whether the operation succeeded; a Raw by its status.
func (a *Answer) succeeded() bool {
	if a.Spec.IsRaw() {
		return a.Status < http.StatusBadRequest
	}
	return a.code == errno.OK || a.Status == http.StatusNotModified
}

// keyStatements are the statements of an Idempotency-Key: claim, look-up and storing of the answer.
const keyStatements = 3

// guardStatements are the additional statements of an authorization that reloads the permissions. The first call after
// a change of them waits for it, and a client cannot tell which call that is.
const guardStatements = 2

// checkBudget checks the statements of a successful call against the declared budget.
func (a *Answer) checkBudget(withKey bool) {
	a.t.Helper()
	if a.Spec == nil || a.Spec.Budget == op.PerItem || !a.succeeded() {
		return
	}
	budget := a.Spec.Budget
	if withKey {
		budget += keyStatements
	}
	if a.Spec.Access.Permission.Value != "" {
		budget += guardStatements
	}
	a.expect(a.Statements <= budget, "%d statements, the operation's budget is %d", a.Statements, budget)
}

// Code returns the code of the envelope.
func (a *Answer) Code() *errno.Code { return a.code }

// OK requires success. For an operation without data, it counts as shown.
func (a *Answer) OK() *Answer {
	a.t.Helper()
	a.expect(a.code == errno.OK, "want success")
	if a.Spec != nil && a.envelope.Data == nil {
		seen.add(a.Spec.Key(), errno.OK)
	}
	return a
}

// Fails requires a failure with the code, and counts it as shown.
func (a *Answer) Fails(code *errno.Code) *Answer {
	a.t.Helper()
	a.expect(a.code == code, "want %d %s", code.Num, code.Name)
	if a.Spec != nil && code != errno.OK {
		seen.add(a.Spec.Key(), code)
	}
	return a
}

// Says requires a failure with a text that gives the reason.
func (a *Answer) Says(errmsg string) *Answer {
	a.t.Helper()
	a.expect(*a.envelope.Errmsg == errmsg, "want the errmsg %q", errmsg)
	return a
}

// Empty requires success with an empty list.
func (a *Answer) Empty() *Answer {
	a.t.Helper()
	var l struct {
		List, Items        json.RawMessage // items is the list again, for clients that look there
		Total, Page, Pages *int
	}
	a.Data(&l)
	whole := l.Total != nil && l.Page != nil && l.Pages != nil && string(l.List) == "[]"
	none := whole && *l.Total == 0 && *l.Page == 1 && *l.Pages == 0 && (l.Items == nil || string(l.Items) == "[]")
	a.expect(none, "want an empty list")
	return a
}

// Is requires success with exactly this data, as JSON, and counts the answer as shown. It is for data of a single word,
// which needs no golden file.
func (a *Answer) Is(data string) *Answer {
	a.t.Helper()
	a.OK()
	a.expect(string(a.envelope.Data) == data, "want the data %s", data)
	a.held = true
	if a.Spec != nil {
		seen.add(a.Spec.Key(), errno.OK)
	}
	return a
}

// Golden compares the whole envelope with testdata/<name>.json, and Beside with files of its own, and counts the answer
// as shown. An answer without data has no file, nor has one after Is: OK, Is, Fails and Says check all of it.
func (a *Answer) Golden(name string) *Answer {
	a.t.Helper()
	whole := a.envelope.Data != nil && !a.held
	if whole {
		golden.JSON(a.t, name, a.Body)
	}
	a.expect(whole || len(a.Beside) > 0, "there is nothing for the golden file %s", name)
	for ending, body := range a.Beside {
		golden.JSON(a.t, name+ending, body)
	}
	if a.Spec != nil && a.code != nil {
		seen.add(a.Spec.Key(), a.code)
	}
	return a
}

// Data requires success and decodes the data into v.
func (a *Answer) Data(v any) *Answer {
	a.t.Helper()
	a.OK()
	err := json.Unmarshal(a.envelope.Data, v)
	a.expect(err == nil, "data does not fit: %v", err)
	return a
}

// Within requires fewer SQL statements than the operation's budget, such as for a cached answer.
func (a *Answer) Within(statements int) *Answer {
	a.t.Helper()
	a.expect(a.Statements <= statements, "%d statements, allowed are %d", a.Statements, statements)
	return a
}
