package apitest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
)

// recorded is the part of the audit record and the log entries of a call that golden files show.
type recorded struct {
	Records []record `json:"records"`
	Log     []entry  `json:"log"`
}

type record struct {
	Admin      string          `json:"admin"`
	IP         string          `json:"ip"`
	Permission string          `json:"permission"`
	Operation  string          `json:"operation"`
	Target     string          `json:"target"`
	ID         json.Number     `json:"id"`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	Time       string          `json:"time"`
}

type entry struct {
	Admin   string `json:"admin"`
	Type    string `json:"type"`
	Action  string `json:"action"`
	Status  string `json:"status"`
	Result  string `json:"result"`
	Comment string `json:"comment"`
}

// separator separates the columns of a row that is read as one text.
const separator = "\x1f"

// watch checks the audit records of every call: exactly one of this call for a successful change, or one at least where
// each row has its own; none for a read, a
// refusal and a failure. Golden files beside the answers show those of changes.
func (w *Env) watch(t testing.TB, r *http.Request) func(*optest.Answer) {
	t.Helper()
	if r.Method != http.MethodPost {
		return func(*optest.Answer) {}
	}
	last := w.Shop.Int("SELECT COALESCE(MAX(id), 0) FROM log")
	repeatable := r.Header.Get("Idempotency-Key") != ""
	return func(a *optest.Answer) {
		t.Helper()
		records := w.records(t, a.Header.Get("X-Request-Id"))
		want := 0
		changes := a.Spec != nil && a.Spec.Audit.Target != ""
		if changes && a.Code() == errno.OK {
			want = 1
		}
		if repeatable && len(records) == 0 {
			want = 0 // a repeated answer
		}
		if changes && a.Spec.Audit.Each && a.Code() == errno.OK {
			want = max(want, len(records))
		}
		if a.Spec == nil || a.Spec.Access.Permission.Value != "" || a.Code() != errno.OK {
			assert.Len(t, records, want, "records of %s, answer %s", a.Request, a.Body)
		}
		if changes && a.Code() == errno.OK {
			body, err := json.Marshal(recorded{Records: records, Log: w.entries(last)})
			require.NoError(t, err)
			a.Beside = map[string][]byte{".audit": body}
		}
	}
}

var fingerprint = regexp.MustCompile(`"fingerprint":"[0-9a-f]{64}"`)

func (w *Env) records(t testing.TB, request string) []record {
	t.Helper()
	all := []record{}
	for _, row := range w.Shop.Texts("SELECT CONCAT_WS(?, admin_name, ip, permission, method_path, target_type, "+
		"target_id, COALESCE(before_json, 'null'), COALESCE(after_json, 'null'), add_time) FROM audit_log "+
		"WHERE request_id = ? ORDER BY id", separator, request) {
		f := strings.Split(row, separator)
		require.Len(t, f, 9, "%q", row)
		after := fingerprint.ReplaceAllString(f[7], `"fingerprint":"<of the password>"`) // other in each run
		all = append(all, record{
			f[0], f[1], f[2], f[3], f[4], json.Number(f[5]), json.RawMessage(f[6]), json.RawMessage(after), f[8],
		})
	}
	return all
}

// entries returns the entries of the business log after an id.
func (w *Env) entries(after int64) []entry {
	all := []entry{}
	for _, row := range w.Shop.Texts("SELECT CONCAT_WS(?, admin, type, action, status, result, comment) FROM log "+
		"WHERE id > ? ORDER BY id", separator, after) {
		f := strings.SplitN(row, separator, 6)
		all = append(all, entry{f[0], f[1], f[2], f[3], f[4], f[5]})
	}
	return all
}
