package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

func TestFuzzedCallsAnswerAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	p := newTwoShoppers(t)
	now := p.Domain.Clock.Now()
	for table, rows := range map[string]string{
		"brand (add_time, update_time, name)":                  "(?, ?, 'kiln')",
		"category (add_time, update_time, name, level, pid)":   "(?, ?, 'drinks', 'L1', 0)",
		"topic (add_time, update_time, title, content, goods)": "(?, ?, 'water', 'boil it', '[]')",
	} {
		p.Domain.Exec("INSERT INTO "+table+" VALUES "+rows, now, now)
	}
	sent := optest.Fuzz(t, p.API.Specs, 25, func(s op.Spec) *optest.Client {
		if s.Access.NeedsToken() {
			return p.As(p.mine)
		}
		return p.Guest()
	})
	require.Greater(t, sent, 1500)
}
