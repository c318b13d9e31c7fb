package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
)

func TestFuzzedCallsAnswerAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	clients := map[string]*optest.Client{} // one for each operation, since some of them end the login
	for i, s := range w.Handler.Specs {    // before the calls, which lock the address out
		clients[s.Key()] = w.Operator(fmt.Sprintf("super%d", i), access.Super)
	}
	sent := optest.Fuzz(t, w.Handler.Specs, 10, func(s op.Spec) *optest.Client { return clients[s.Key()] })
	require.Greater(t, sent, 1250)
}
