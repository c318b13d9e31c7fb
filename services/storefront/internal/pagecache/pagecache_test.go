package pagecache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/services/storefront/internal/pagecache"
)

type view struct {
	Name string `json:"name"`
	Mine []int  `json:"mine"`
}

func TestPage(t *testing.T) {
	p, err := pagecache.Encode(view{"tea", []int{1}}, []int{1})
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"tea","mine":[1]}`, string(p.Bytes()))
	for range 2 { // the first answer must not have written into the copy
		b, err := p.With([]int{7, 8, 9})
		require.NoError(t, err)
		require.JSONEq(t, `{"name":"tea","mine":[7,8,9]}`, string(b))
	}
	require.JSONEq(t, `{"name":"tea","mine":[1]}`, string(p.Bytes()))
	_, err = pagecache.Encode(view{"tea", []int{1}}, "tea")
	require.Error(t, err, "not the last member")
}

// source renders pages and counts them.
type source struct {
	loads atomic.Int64
	fail  atomic.Bool
	begun chan struct{} // closed by the first load, if it waits
	wait  chan struct{}
}

// waiting returns a source whose loads wait until wait is closed.
func waiting() *source { return &source{begun: make(chan struct{}), wait: make(chan struct{})} }

var errBroken = errors.New("broken")

func (s *source) load(ctx context.Context, _ int) (pagecache.Page, error) {
	n := s.loads.Add(1)
	if s.wait != nil {
		if n == 1 {
			close(s.begun)
		}
		<-s.wait
	}
	if err := ctx.Err(); err != nil {
		return pagecache.Page{}, err
	}
	if s.fail.Load() {
		return pagecache.Page{}, errBroken
	}
	return pagecache.Encode(view{"tea", []int{int(n)}}, []int{int(n)})
}

func pages(t *testing.T, s *source) *cache.Cache[int, pagecache.Page] {
	t.Helper()
	return pagecache.New(pagecache.Options{Now: time.Now}, s.load)
}

func TestACopyLivesForASecond(t *testing.T) {
	s := &source{}
	var passed atomic.Int64 // the cache reads its clock in the background too
	start := time.Now()
	p := pagecache.New(pagecache.Options{Now: func() time.Time { return start.Add(time.Duration(passed.Load())) }}, s.load)
	for range 3 {
		_, err := p.Get(t.Context(), 1)
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, s.loads.Load())
	passed.Add(int64(1010 * time.Millisecond))
	_, err := p.Get(t.Context(), 1)
	require.NoError(t, err)
	require.EqualValues(t, 2, s.loads.Load())
}

func TestDrop(t *testing.T) {
	s := &source{}
	p := pages(t, s)
	get := func(key int) {
		_, err := p.Get(t.Context(), key)
		require.NoError(t, err)
	}
	get(1)
	get(2)
	p.Invalidate(1)
	get(1)
	get(2)
	require.EqualValues(t, 3, s.loads.Load())
	p.InvalidateAll()
	get(1)
	get(2)
	require.EqualValues(t, 5, s.loads.Load())
}

// The result of a load that began before a commit must not be cached after it.
func TestDropDuringALoad(t *testing.T) {
	s := waiting()
	p := pages(t, s)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.Get(t.Context(), 1)
	}()
	<-s.begun
	p.Invalidate(1)
	close(s.wait)
	<-done
	_, err := p.Get(t.Context(), 1)
	require.NoError(t, err)
	require.EqualValues(t, 2, s.loads.Load())
}

func TestManyWaitForOneLoad(t *testing.T) {
	s := waiting()
	p := pages(t, s)
	var wg sync.WaitGroup
	first, cancel := context.WithCancel(t.Context())
	for i := range 20 {
		ctx := t.Context()
		if i == 0 {
			ctx = first
		}
		wg.Go(func() {
			if _, err := p.Get(ctx, 1); err != nil && ctx != first { // a caller that leaves may get its own error
				t.Error(err)
			}
		})
	}
	<-s.begun
	cancel() // a load must not fail because the caller that began it has left
	close(s.wait)
	wg.Wait()
	require.EqualValues(t, 1, s.loads.Load())
}

func TestAFailureIsNotKept(t *testing.T) {
	s := &source{}
	s.fail.Store(true)
	p := pages(t, s)
	_, err := p.Get(t.Context(), 1)
	require.ErrorIs(t, err, errBroken)
	s.fail.Store(false)
	_, err = p.Get(t.Context(), 1)
	require.NoError(t, err)
}
