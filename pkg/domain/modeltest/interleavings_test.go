package modeltest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// perBatch is how many sequences share a shop.
	perBatch = 4000
	// shown bounds the disagreements that a failure lists.
	shown = 5
)

// inFull is the length up to which sequences are run that do not begin with a submit. Longer ones are equivalent to
// shorter ones: TestNothingHappensWithoutAnOrder proves it.
const inFull = 3

// allSequences returns every sequence of at least one event and at most longest, the shorter ones first, without the
// equivalent ones.
func allSequences(longest int) (all [][]event) {
	last := [][]event{nil}
	for length := 1; length <= longest; length++ {
		var next [][]event
		for _, s := range last {
			for _, e := range alphabet {
				next = append(next, append(slices.Clone(s), e))
			}
		}
		if length > inFull {
			next = slices.DeleteFunc(next, func(s []event) bool { return s[0] != submit })
		}
		all = append(all, next...)
		last = next
	}
	return all
}

// Every sequence of events gives the answers and the books of the contract: after each event the state of the order,
// its history, coupon, payments and refunds; at the end the money at the platform, the stock, the messages and verify.
// SHOP_SEQUENCE=submit,prepay,notice runs one sequence and prints its answers.
func TestEveryInterleaving(t *testing.T) {
	if one := os.Getenv("SHOP_SEQUENCE"); one != "" {
		var events []event
		for e := range strings.SplitSeq(one, ",") {
			require.Contains(t, alphabet, event(e))
			events = append(events, event(e))
		}
		b := runSequences(t, [][]event{events})
		t.Log(b.runs[0].trace)
		require.Empty(t, b.wrong)
		return
	}
	longest := map[form]int{quick: 3, short: 4, long: 5}[formOf(t)]
	all := allSequences(longest)
	every := 0
	for length, n := 0, 1; length < longest; length++ {
		n *= len(alphabet)
		every += n
	}
	calls := 0
	for part := range slices.Chunk(all, perBatch) {
		t.Run(fmt.Sprintf("%s to %s", name(part[0]), name(part[len(part)-1])), func(t *testing.T) {
			b := runSequences(t, part)
			calls += b.calls
			if len(b.wrong) > 0 {
				t.Log(b.wrong[:min(len(b.wrong), 5)])
				explain(t, part, b.wrong)
			}
		})
	}
	t.Logf("%d sequences of up to %d events: %d calls of %d sequences, to which the others are equivalent", every, longest,
		calls, len(all))
}

// Before the submit, every event is refused and changes nothing but the record of refused notifications and their
// alarms, which name no order. So a sequence that begins with another event gives what it gives without that event.
func TestNothingHappensWithoutAnOrder(t *testing.T) {
	for _, e := range alphabet[1:] {
		b := &batch{shop: open(t), t: t}
		b.prepare([][]event{{e}})
		before := b.digest("payment_notify", "outbox_event")
		b.step(0)
		require.Empty(t, b.wrong, e)
		require.Equal(t, newLife(price, 1), b.runs[0].life, e)
		require.Equal(t, before, b.digest("payment_notify", "outbox_event"), e)
		require.Zero(t, b.Int("SELECT COUNT(*) FROM outbox_event WHERE topic <> 'payment.alarm' OR aggregate_id <> 0"), e)
	}
}

// digest changes if any row of the shop does, except in excluded tables.
func (b *batch) digest(without ...string) (all []string) {
	b.t.Helper()
	for _, table := range b.Texts("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name") {
		if slices.Contains(without, table) {
			continue
		}
		columns := b.Text("SELECT GROUP_CONCAT('COALESCE(`', column_name, '`, ''~'')' ORDER BY ordinal_position) FROM information_schema.columns "+
			"WHERE table_schema = DATABASE() AND table_name = ?", table)
		all = append(all, table+" "+b.Text("SELECT CONCAT(COUNT(*), ' ', COALESCE(SUM(CRC32(CONCAT_WS('|', "+columns+"))), 0)) FROM `"+
			table+"`"))
	}
	return all
}

func name(events []event) string { return (&run{events: events}).name() }

// explain fails the test with the first disagreements. Where they name no sequence, it searches for one that disagrees
// alone.
func explain(t *testing.T, part [][]event, wrong []string) {
	t.Helper()
	for len(part) > 1 && !slices.ContainsFunc(wrong, func(w string) bool { return strings.HasPrefix(w, "SHOP_SEQUENCE") }) {
		half := part[:len(part)/2]
		found := runSequences(t, half).wrong
		if len(found) == 0 {
			half = part[len(part)/2:]
			if found = runSequences(t, half).wrong; len(found) == 0 {
				break // it takes sequences of both halves
			}
		}
		part, wrong = half, found
	}
	for _, w := range wrong[:min(len(wrong), shown)] {
		t.Error(w)
	}
	t.Errorf("%d disagreements in %d sequences, the first of which is SHOP_SEQUENCE=%s", len(wrong), len(part), name(part[0]))
}
