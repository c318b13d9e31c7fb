package catalog

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSample(t *testing.T) {
	t.Parallel()
	s := service(t)
	ctx := t.Context()
	r := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		_, _ = s.Create(ctx, made(r)) // a name may repeat
	}
	f, err := openFeed(ctx, s.db, time.Now())
	require.NoError(t, err)
	x, err := s.load(ctx)
	require.NoError(t, err)
	s.live.serve(x, f, s.now())
	for range 50 {
		require.NoError(t, s.sample(ctx, f, x))
	}
	state := s.IndexState()
	require.Positive(t, state.Samples)
	require.Zero(t, state.Disagreements)
	require.Positive(t, state.Goods)
	require.NoError(t, s.db.G(ctx).Exec("UPDATE goods SET is_on_sale = 1 - is_on_sale").Error) // past the feed
	for range 50 {
		err = errors.Join(err, s.sample(ctx, f, x))
	}
	require.ErrorIs(t, err, errDisagreement)
	require.Positive(t, s.IndexState().Disagreements)
}
