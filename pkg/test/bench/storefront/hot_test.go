package storefront

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// BenchmarkHotSoldOut compares refusals of a product that is sold out with a bare handler that writes the same answer.
func BenchmarkHotSoldOut(b *testing.B) {
	s := open(b, medium)
	buyers := s.buyers(b, 2*shoppers)
	it := buyers[0].items[0]
	s.stock(b, fmt.Sprintf("id = %d", it.product), many)
	bodies := make([][]byte, len(buyers))
	for i, u := range buyers {
		c, err := ratio.Dial(b.Context(), s.address)
		require.NoError(b, err)
		require.NoError(b, u.add(c, it))
		c.Close()
		row := s.number(b, "SELECT id FROM cart WHERE user_id = ? AND product_id = ? AND deleted = 0", u.id, it.product)
		bodies[i] = fmt.Appendf(nil, `{"cartId":%d,"addressId":%d,"couponId":0}`, row, u.address)
	}
	left := s.number(b, "SELECT number FROM goods_product WHERE id = ?", it.product)
	s.stock(b, fmt.Sprintf("id = %d", it.product), -int(left))
	request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+s.address+"/wx/order/submit",
		bytes.NewReader(bodies[0]))
	require.NoError(b, err)
	request.Header.Set("Content-Type", "application/json")
	bare := bareOf(b, request, buyers[0].token, `{"errno":711,`)
	refused := func(address string) ratio.Way {
		return func(ctx context.Context, turn time.Duration) (float64, error) {
			return ratio.Workers(ctx, len(buyers), turn, time.Now, func(ctx context.Context, i int) (func() error, func(), error) {
				c, err := ratio.Dial(ctx, address)
				if err != nil {
					return nil, nil, err
				}
				text := fmt.Appendf(nil, "POST /wx/order/submit HTTP/1.1\r\nHost: bench\r\nX-Shop-Token: %s\r\n"+
					"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", buyers[i].token, len(bodies[i]), bodies[i])
				return func() error {
					body, err := c.Do(text)
					if err == nil && !bytes.HasPrefix(body, []byte(`{"errno":711,`)) {
						err = fmt.Errorf("the product is not sold out: %.200s", body)
					}
					return err
				}, func() { _ = c.Close() }, nil
			})
		}
	}
	for b.Loop() {
		result, err := ratio.Comparison{
			Name: "sold out, 64 shoppers, against a bare handler", Bar: 0.3, Baseline: refused(bare), Ours: refused(s.address),
		}.Measure(b.Context(), rounds, turn)
		require.NoError(b, err)
		ratio.Report(b, result)
	}
	s.stock(b, fmt.Sprintf("id = %d", it.product), many)
	s.verify(b)
}
