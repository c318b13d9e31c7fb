package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/services/storefront/internal/apitest"
)

// invalidTokens returns invalid tokens by the reason.
func invalidTokens(s *apitest.Shop) map[string]string {
	d := s.Domain
	expired := d.Token(d.Shopper("old"))
	d.Clock.Move(25 * time.Hour)
	disabled, deleted, revoked := d.Shopper("disabled"), d.Shopper("deleted"), d.Shopper("revoked")
	tokens := map[string]string{
		"none": "", "unknown": "unknown", "long": strings.Repeat("x", 5000), "SQL": "' or '1'='1",
		"expired": expired, "staff": d.Operator("super", "*"),
		"disabled": d.Token(disabled), "deleted": d.Token(deleted), "revoked": d.Token(revoked),
	}
	d.Exec("UPDATE user SET status = 1 WHERE id = ?", disabled)
	d.Exec("UPDATE user SET deleted = 1, del_mark = id WHERE id = ?", deleted)
	d.Exec("UPDATE user SET token_version = token_version + 1 WHERE id = ?", revoked)
	return tokens
}

// tokenHeaders are the header of the shop and the alias that older clients send.
func tokenHeaders() []string { return []string{"X-Shop-Token", "X-Litemall-Token"} }

// A caller without access learns nothing else, such as that the body is malformed or too deep; and nothing changes. Each
// operation meets every invalid token, and in turn one header and one body with it.
func TestCallsWithoutAToken(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	tokens, all := invalidTokens(s), everything(s)
	before, guarded := s.Domain.Text(all), 0
	flaws, bodies := slices.Sorted(maps.Keys(tokens)), []string{`{}`, `{`, strings.Repeat("[", 10_000)}
	for _, spec := range s.API.Specs {
		if !spec.Access.NeedsToken() {
			continue
		}
		for i, flaw := range flaws {
			header, body := tokenHeaders()[(guarded/3+i)%2], bodies[(guarded+i)%3]
			a := s.Guest().With(header, tokens[flaw]).Send(spec.Method, path(spec)+"?limit=-1&id=x", strings.NewReader(body))
			require.Equal(t, errno.LoginRequired, a.Code(), "%s: %s in %s", a.Request, flaw, header)
		}
		guarded++
		require.Equal(t, before, s.Domain.Text(all), spec.Key())
	}
	require.Greater(t, guarded, 40)
}

// If a token is optional or ignored, an invalid one makes a guest and no error.
func TestUselessTokensMakeGuests(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Domain.Product("tea", 100, 1)
	tokens := invalidTokens(s)
	for _, spec := range s.API.Specs {
		if spec.Access.NeedsToken() || spec.IsRaw() || spec.Method != http.MethodGet {
			continue
		}
		query := path(spec) + "?id=1&goodsId=1&grouponId=1&type=0&valueId=1&keyword=tea"
		want := s.Guest().GET("%s", query).Clean()
		for flaw, token := range tokens {
			for _, header := range tokenHeaders() {
				got := s.Guest().With(header, token).GET("%s", query)
				require.Equal(t, string(want.Body), string(got.Body), "%s: %s in %s", got.Request, flaw, header)
			}
		}
	}
}
