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

// exports are the files that grow with the shop, each with its table and its list.
var exports = map[string]struct{ table, list string }{
	"/admin/order/export":  {"orders", "/admin/order/list"},
	"/admin/goods/export":  {"goods", "/admin/goods/list"},
	"/admin/user/export":   {"user", "/admin/user/list"},
	"/admin/coupon/export": {"coupon_user", "/admin/coupon/listuser"},
}

// short are the files whose length does not depend on the shop.
var short = map[string]bool{"/admin/bestseller/export": true}

// TestEveryExportIsBounded fails if a file is streamed that the tests below do not know.
func TestEveryExportIsBounded(t *testing.T) {
	t.Parallel()
	for _, s := range apitest.Open(t).Handler.Specs {
		if s.IsRaw() && s.Method == http.MethodGet && !short[s.Path] {
			require.Contains(t, exports, s.Path)
		}
	}
}

// reader is the client of an export. It is called each time that a part of the file is sent.
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

// SetWriteDeadline is called by http.ResponseController.
func (r *reader) SetWriteDeadline(t time.Time) error {
	r.until = t
	return nil
}

// stretched is a process with one database connection, and four rows for every export, with ids so far apart that no
// two are read in one batch.
func stretched(t *testing.T) *apitest.Env {
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

// take reads an export. After each part, sent is called with the number of rows so far and the number of statements for
// them.
func take(ctx context.Context, w *apitest.Env, path string, sent func(rows, statements int)) *reader {
	ctx, statements := domaintest.Count(ctx)
	r := &reader{ResponseRecorder: httptest.NewRecorder(), sent: func(rows int) { sent(rows, statements()) }}
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	request.Header.Set(auth.Header, w.Token("super"))
	w.Handler.ServeHTTP(r, request)
	return r
}

// An export reads one batch of rows at a time: the next one after the last was sent. However slow the client is, nobody
// waits for it, since the export holds no transaction and no connection; and the server extends its deadline.
func TestAnExportHoldsOneStretchAtATime(t *testing.T) {
	t.Parallel()
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

// A disconnected reader is noticed at the next part: nothing more is read.
func TestAnExportEndsWithItsReader(t *testing.T) {
	t.Parallel()
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
