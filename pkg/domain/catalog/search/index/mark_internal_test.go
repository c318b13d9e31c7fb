package index

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// After any changes the marks lie where they say, and near enough to each other that no page reads much of an order.
func TestMarksStayEven(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x := New(nil)
	for range 15 {
		batch := make([]Goods, 300)
		from, price := random.Int64N(6000), random.Int64N(1000)
		for i := range batch {
			batch[i] = Goods{ID: from + int64(i) + 1, Price: price + random.Int64N(50), Added: from}
		}
		x.Apply(batch, []int64{from + 400, from + 500})
		for s := range sorts {
			o := &x.orders[s]
			require.False(t, o.uneven())
			require.LessOrEqual(t, len(o.marks), maxMarks)
			for _, m := range o.marks {
				n := 0
				for _, word := range m.before {
					n += bits.OnesCount64(word)
				}
				require.Equal(t, m.n, n)
				for _, at := range o.slots[:m.n] {
					require.True(t, m.before.has(at))
				}
			}
		}
	}
}
