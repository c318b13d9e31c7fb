package app_test

import (
	"fmt"
	"testing"

	"shop.internal/pkg/kit/optest"
)

// defects is how many defects the administration must not have: D-A1 to D-A80.
const defects = 80

// absent are the defects that no test can show, each with the reason.
func absent() map[string]string {
	return map[string]string{
		"D-A25": "nothing here runs another program, and there is no job that copies the database",
	}
}

// attacks are what the administration must withstand, each with what it is.
var attacks = map[string]string{ //nolint:gochecknoglobals // a table
	"CVE-2018-18434": "any file is reachable through the storage",
	"CVE-2020-23448": "another spelling of a path leads past the token",
	"CVE-2024-24323": "the texts of the order list are SQL",
	"CVE-2024-46382": "the texts and the order of the goods list are SQL",
	"CVE-2025-8753":  "any file is deleted",
	"CVE-2025-8764":  "anything is uploaded and served as sent",
	"CVE-2025-8974":  "tokens are made outside, or are the other service's",
	"CVE-2025-8991":  "freight below 0",
	"CVE-2026-90569": "topics with script",
	"CVE-2026-90570": "goods with script",
	"A-3":            "bodies that are deep, large, doubled, of another kind or with the names of types",
	"A-7":            "documents and consoles are public",
	"A-12":           "coupons that take something away",
	"A-14":           "operators with known passwords",
	"A-15":           "sort and order of every list",
	"A-17":           "reading changes something",
	"A-18":           "foreign origins get credentials; forms of other pages are taken",
	"A-19":           "markup is answered as a page",
	"A-22":           "a failure in the middle leaves half of the work",
	"A-23":           "captchas are predictable",
	"A-24":           "passwords are guessed",
	"A-25":           "the server asks for addresses that operators name",
	"A-26":           "rights are passed on upwards",
}

// TestEveryRowHasItsTest fails where a defect is named by no test of the repository, or an attack by none of this
// service.
func TestEveryRowHasItsTest(t *testing.T) {
	const list = "rows_test.go"
	named := optest.Named(t, `\bD-A\d+\b`, list)
	for i := range defects {
		id := fmt.Sprint("D-A", i+1)
		if _, none := absent()[id]; !named[id] && !none {
			t.Errorf("no test names %s", id)
		}
	}
	named = optest.Named(t, `\b(A-\d+|CVE-\d+-\d+)\b`, list, "services/admin")
	for id, what := range attacks {
		if !named[id] {
			t.Errorf("no test names %s: %s", id, what)
		}
	}
}
