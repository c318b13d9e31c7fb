package domaintest

import (
	"context"
	"strings"
	"sync"
	"time"
)

// maxWait is how long Meet waits for a second request that reaches neither its key nor an answer.
const maxWait = time.Second

// Meet makes two equal requests with an Idempotency-Key meet: the first stops before it stores its answer, with its
// work done and not committed; then the second begins, and the first goes on once the second has reached the key or has
// been answered. Each is passed the change of its context. If the first stores no answer, the second follows it.
func Meet(first, second func(wrap func(context.Context) context.Context)) {
	stopped, goOn, arrived := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var stop, arrive sync.Once
	ended := begin(first, before("UPDATE `idempotency`", func() {
		stop.Do(func() {
			close(stopped)
			<-goOn
		})
	}))
	select {
	case <-stopped:
	case <-ended:
	}
	other := begin(second, before("INSERT INTO `idempotency`", func() { arrive.Do(func() { close(arrived) }) }))
	select {
	case <-arrived:
	case <-other:
	case <-time.After(maxWait): // it waits for another row of the first
	}
	close(goOn)
	<-ended
	<-other
}

func begin(
	request func(wrap func(context.Context) context.Context), wrap func(context.Context) context.Context,
) (ended <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		request(wrap)
	}()
	return done
}

// before calls do before each statement that begins with a text.
func before(beginning string, do func()) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		heard, _ := Listen(ctx, func(statement string) {
			if strings.HasPrefix(statement, beginning) {
				do()
			}
		})
		return heard
	}
}
