package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/export"
)

// exports are the files that grow with the shop, each with the table and the list that it is read from.
var exports = map[string]struct{ table, list string }{
	"/admin/order/export":  {"orders", "/admin/order/list"},
	"/admin/goods/export":  {"goods", "/admin/goods/list"},
	"/admin/user/export":   {"user", "/admin/user/list"},
	"/admin/coupon/export": {"coupon_user", "/admin/coupon/listuser"},
}

// TestEveryExportIsBounded fails where a file is streamed that the tests below know nothing of.
func TestEveryExportIsBounded(t *testing.T) {
	for _, s := range apitest.Open(t).Handler.Specs {
		if s.IsRaw() && s.Method == http.MethodGet {
			require.Contains(t, exports, s.Path)
		}
	}
}

// reader is the client of an export. It is asked for its part of the work each time that a part of the file is sent.
type reader struct {
	*httptest.ResponseRecorder
	sent  func(rows int)
	until time.Time
}

// Flush implements http.Flusher.
func (r *reader) Flush() {
	r.ResponseRecorder.Flush()
	r.sent(strings.Count(r.Body.String(), "\n") - 1)
}

// SetWriteDeadline is what http.ResponseController looks for.
func (r *reader) SetWriteDeadline(t time.Time) error {
	r.until = t
	return nil
}

// stretched is a process that has one connection to the database, and four rows behind every export, whose ids lie so far
// apart that no two of them are read at once.
func stretched(t *testing.T) *apitest.World {
	t.Helper()
	w := apitest.Open(t)
	w.Super()
	growTo(w, 0, 4)
	w.Shop.Exec("INSERT INTO goods_product (goods_id, specifications, add_time, update_time) SELECT id * 10000, '[]', add_time, " +
		"add_time FROM goods")
	for _, e := range exports {
		w.Shop.Exec("UPDATE `" + e.table + "` SET id = id * 10000 ORDER BY id DESC")
	}
	return w.Narrow()
}

// take reads an export. Each time that a part has come, sent is told how many rows there are and how many statements it
// took to get them.
func take(ctx context.Context, w *apitest.World, path string, sent func(rows, statements int)) *reader {
	ctx, statements := domaintest.Count(ctx)
	r := &reader{ResponseRecorder: httptest.NewRecorder(), sent: func(rows int) { sent(rows, statements()) }}
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	request.Header.Set(auth.Header, w.Token("super"))
	w.Handler.ServeHTTP(r, request)
	return r
}

// An export holds one stretch of rows at a time: the next is asked for once the last is on its way. However slowly it is
// taken, nobody waits for it meanwhile, since it holds no transaction and no connection; and the server allows it its
// time.
func TestAnExportHoldsOneStretchAtATime(t *testing.T) {
	w := stretched(t)
	for path, e := range exports {
		t.Run(path, func(t *testing.T) {
			var rows, statements []int
			r := take(t.Context(), w, path, func(n, sent int) {
				rows, statements = append(rows, n), append(statements, sent)
				w.Super().In(t).GET(e.list).OK()
			})
			require.Equal(t, http.StatusOK, r.Code)
			require.Equal(t, []int{1, 2, 3, 4, 4}, rows, "a row of each stretch, and nothing at the end")
			for i := 2; i < 4; i++ {
				require.Equal(t, statements[1]-statements[0], statements[i]-statements[i-1], "statements before each part: %v", statements)
			}
			require.Less(t, statements[0], statements[1], "what is sent first is not read last")
			require.Greater(t, time.Until(r.until), export.Limit-time.Minute)
			require.Less(t, time.Until(r.until), export.Limit)
		})
	}
}

// A reader that goes away is noticed at the next part: nothing more is read for it.
func TestAnExportEndsWithItsReader(t *testing.T) {
	w := stretched(t)
	for path := range exports {
		t.Run(path, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			parts := 0
			require.PanicsWithValue(t, http.ErrAbortHandler, func() {
				take(ctx, w, path, func(int, int) {
					parts++
					leave()
				})
			})
			require.Equal(t, 1, parts)
			require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE method_path = ? AND after_json LIKE '{\"filter\"%'",
				"GET "+path), "what was begun is recorded")
			require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM audit_log WHERE method_path = ? AND after_json = '{\"rows\":1,\"whole\":false}'",
				"GET "+path), "and how far it came")
		})
	}
}
