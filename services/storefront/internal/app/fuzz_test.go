package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

func TestFuzzedCallsAnswerAsTheDocumentSays(t *testing.T) {
	p := newParty(t)
	sent := optest.Fuzz(t, p.API.Specs, 50, func(s op.Spec) *optest.Client {
		if s.Access.NeedsToken() {
			return p.As(p.mine)
		}
		return p.Guest()
	})
	require.Greater(t, sent, 3000)
	t.Log(sent, "calls")
}
