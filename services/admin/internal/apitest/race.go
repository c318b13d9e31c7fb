package apitest

import (
	"slices"
	"sync"

	"shop.internal/pkg/kit/optest"
)

// AtOnce sends requests at once and returns the numbers of their codes, sorted.
func AtOnce(requests ...func() *optest.Answer) []int {
	codes := make([]int, len(requests))
	var wg sync.WaitGroup
	for i, send := range requests {
		wg.Go(func() { codes[i] = send().Code().Num })
	}
	wg.Wait()
	slices.Sort(codes)
	return codes
}
