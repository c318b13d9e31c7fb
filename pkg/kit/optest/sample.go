package optest

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
)

// Portion is how many of the requests of a loop over all operations go test sends: one of so many, the same in each
// run. make reliability, which sets SHOP_FORM, sends them all.
const Portion = 4

// Sample returns what chooses the requests of such a loop, for one operation of it: true for those to send.
func Sample(operation string) func() bool {
	if os.Getenv("SHOP_FORM") != "" {
		return func() bool { return true }
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(operation))
	draw := rand.New(rand.NewPCG(1, seed.Sum64()))
	return func() bool { return draw.IntN(Portion) == 0 }
}
