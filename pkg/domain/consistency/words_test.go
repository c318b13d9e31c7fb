package consistency

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/text"
)

// Whatever a check says of a value has words in both languages, and no phrase is left over.
func TestEveryPhraseHasWords(t *testing.T) {
	t.Parallel()
	said := []string{
		// of rules, of other parts, and of the chain of audit records
		"a transition of 201", "7, by an audit record", "nothing, by an audit record", "a row, by an audit record",
		"0: address 5 is the default", "at most 3", "none that goes with 2 of the group", "1 or 2", "2 or 3", "once", "never",
		"a coupon that it no longer holds", "a coupon used by it", "a time", "a refund that is on its way or done",
		"free for an order that costs nothing, offline for one that an operator recorded", "missing", "there",
		"a part of the name", "an address of the web or of the shop", "number (with its buckets)", "number of terms", "term", "refund",
		"sums", "row", "record", "records", "seal of the record", "seal of the record before it", "last number purged",
		"the head that was kept", "refund_amount, refund_type, refund_content (after the sale)",
	}
	for _, w := range tableChecks() {
		for _, c := range w.checks {
			if inner := strings.Trim(c.should, "'"); len(inner) == len(c.should)-2 && strings.ContainsAny(inner, "abcdefghijklmnopqrstuvwxyz") {
				said = append(said, strings.ReplaceAll(inner, "''", "'"))
			}
		}
		for _, r := range w.rules {
			if strings.Contains(r.what, " ") && !strings.HasPrefix(r.what, "refund_amount, ") {
				said = append(said, r.what)
			}
		}
	}
	used := map[string]bool{}
	whole, open := words()
	for _, s := range said {
		assert.NotEqual(t, s, Worded(s, text.Chinese), "no words for %q", s)
		require.Equal(t, s, Worded(s, text.English))
		used[s] = true
		if before, by := strings.CutSuffix(s, ", by an audit record"); by {
			used[before] = true
		}
	}
	for english := range whole {
		before, after, with := strings.Cut(english, "%s")
		matches := func(s string) bool { return strings.HasPrefix(s, before) && strings.HasSuffix(s, after) }
		if with {
			assert.True(t, slices.ContainsFunc(said, matches), "nobody says %q", english)
		} else if !slices.Contains([]string{"JSON"}, english) {
			assert.True(t, used[english], "nobody says %q", english)
		}
	}
	require.NotEmpty(t, open)
	require.Equal(t, "空（依据审计记录）", Worded("nothing, by an audit record", text.Chinese))
	require.Equal(t, "12.50", Worded("12.50", text.Chinese))
}
