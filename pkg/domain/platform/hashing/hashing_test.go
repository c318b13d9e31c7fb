package hashing_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/hashing"
)

// match compares in a turn of its own.
func match(ctx context.Context, h *hashing.Hasher, hash, text string) (bool, error) {
	turn, err := h.Turn(ctx)
	if err != nil {
		return false, err
	}
	defer turn.Leave()
	return turn.Match(hash, text)
}

func TestMatch(t *testing.T) {
	h := hashing.New(bcrypt.MinCost, time.Now)
	long := strings.Repeat("x", hashing.MaxBytes)
	of := func(text string) string {
		hash, err := h.Hash(t.Context(), text)
		require.NoError(t, err)
		return hash
	}
	secret, longest := of("secret"), of(long)
	for name, tt := range map[string]struct {
		hash, password string
		want           bool
	}{
		"right":                  {secret, "secret", true},
		"wrong":                  {secret, "Secret", false},
		"no account":             {"", "secret", false},
		"as long as can be":      {longest, long, true},
		"longer, same beginning": {longest, long + "y", false},
	} {
		got, err := match(t.Context(), h, tt.hash, tt.password)
		require.NoError(t, err, name)
		require.Equal(t, tt.want, got, name)
	}
	_, err := match(t.Context(), h, "no hash", "secret")
	require.Error(t, err)
	require.False(t, h.Weak(secret))
	require.True(t, hashing.New(bcrypt.MinCost+1, time.Now).Weak(secret))
}

// Keyboards compose letters in different ways; hashes of earlier releases are those of passwords as they came.
func TestHoweverLettersAreComposed(t *testing.T) {
	h := hashing.New(bcrypt.MinCost, time.Now)
	composed, apart := "caf\u00e9 olé", "cafe\u0301 olé"
	hash, err := h.Hash(t.Context(), apart)
	require.NoError(t, err)
	before, err := bcrypt.GenerateFromPassword([]byte(apart), bcrypt.MinCost)
	require.NoError(t, err)
	for _, tt := range []struct {
		hash, password string
		want           bool
	}{
		{hash, composed, true},
		{hash, apart, true},
		{string(before), apart, true},
		{string(before), "café olé", false}, // what it was, nobody knows
		{hash, "caf\u00e9 olé ", false},
		{hash, "Caf\u00e9 olé", false},
		{hash, "cafe olé", false},
	} {
		same, err := match(t.Context(), h, tt.hash, tt.password)
		require.NoError(t, err)
		require.Equal(t, tt.want, same, "%q", tt.password)
	}
}

// A hash from another shop, as an import contains it.
func TestImportedHash(t *testing.T) {
	h := hashing.New(bcrypt.MinCost, time.Now)
	hash, err := h.Hash(t.Context(), "user123")
	require.NoError(t, err)
	for _, prefix := range []string{"$2a$", "$2b$"} {
		same, err := match(t.Context(), h, prefix+hash[4:], "user123")
		require.NoError(t, err)
		require.True(t, same)
	}
}

// The dummy hash is well formed and costs as much, so the time of an answer does not reveal whether there is an account.
func TestDummyHashCostsAsMuch(t *testing.T) {
	const want = bcrypt.MinCost + 1
	h := hashing.New(want, time.Now)
	cost, err := bcrypt.Cost(h.Dummy())
	require.NoError(t, err)
	require.Equal(t, want, cost)
	require.ErrorIs(t, bcrypt.CompareHashAndPassword(h.Dummy(), []byte("secret")), bcrypt.ErrMismatchedHashAndPassword)
}

// running is a request whose time runs out when the test says so.
type running struct {
	context.Context
	end time.Time
}

func (r *running) Deadline() (time.Time, bool) { return r.end, true }

// A hash that would leave no time for what follows is not begun.
func TestNoHashWithoutTheTimeToFinish(t *testing.T) {
	begun := 0
	h := hashing.New(bcrypt.MinCost, func() time.Time { // a hash reads the clock before and after
		begun++
		return time.Now()
	})
	for _, left := range []time.Duration{-time.Second, hashing.Bookkeeping / 2, hashing.Bookkeeping} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		_, err := match(ctx, h, "", "secret")
		cancel()
		require.ErrorIs(t, err, errno.ErrBusy, left)
		require.Equal(t, errno.Internal, errno.Of(err))
	}
	require.Zero(t, begun)
	ctx, cancel := context.WithTimeout(t.Context(), hashing.Bookkeeping+time.Minute)
	defer cancel()
	_, err := match(ctx, h, "", "secret")
	require.NoError(t, err)
	require.Equal(t, 2, begun)

	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = match(gone, h, "", "secret")
	require.ErrorIs(t, err, context.Canceled)

	// Who got the turn in time may have lost it since, to a slow counter.
	late := &running{t.Context(), time.Now().Add(time.Hour)}
	turn, err := h.Turn(late)
	require.NoError(t, err)
	defer turn.Leave()
	late.end = time.Now().Add(hashing.Bookkeeping)
	_, err = turn.Hash("secret")
	require.ErrorIs(t, err, errno.ErrBusy)
}

// Half of the processors hash at once, at least one.
func TestHalfOfTheProcessors(t *testing.T) {
	var mu sync.Mutex
	reads := map[string]int{} // an odd number of reads of the clock by a hash: it is under way
	now, most := 0, 0
	h := hashing.New(bcrypt.MinCost, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		buf := make([]byte, 64)
		id := strings.Fields(string(buf[:runtime.Stack(buf, false)]))[1]
		if reads[id]++; reads[id]%2 == 1 {
			now++
		} else {
			now--
		}
		most = max(most, now)
		return time.Now()
	})
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() { _, _ = match(t.Context(), h, "", "secret") })
	}
	wg.Wait()
	require.LessOrEqual(t, most, max(1, runtime.GOMAXPROCS(0)/2))
	require.Positive(t, most)
}

// An operation that hashes without declaring it would take its time from the reads or writes beside it.
func TestRequestsOfOtherClassesDoNotHash(t *testing.T) {
	h := hashing.New(bcrypt.MinCost, time.Now)
	controller := admission.New(nil)
	for _, class := range admission.Classes() {
		ticket := &admission.Ticket{}
		controller.Issue(ticket, class)
		_, err := h.Hash(context.WithValue(t.Context(), admission.Key{}, ticket), "secret")
		if class == admission.Login {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "another class", class)
	}
}

// The bookkeeping goes on when the client has left.
func TestKeep(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	ctx, cancel := hashing.Keep(gone)
	defer cancel()
	require.NoError(t, ctx.Err())
	_, limited := ctx.Deadline()
	require.True(t, limited)
}
