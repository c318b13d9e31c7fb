package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/app"
)

const (
	fileKey   = "abcdefghijklmnopq234.png"
	firstBase = "http://shop.test/wx/storage/fetch/"
)

// A shop that has moved shows every picture on every page, in every order and in every file under its new address,
// whatever form is stored.
func TestAMovedShopShowsEveryPicture(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	specs, err := app.Specs()
	require.NoError(t, err)
	_, err = w.Shop.Storage.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 1}, "a.txt", []byte("text"))
	require.NoError(t, err)
	moved := w.Moved(firstBase)
	super := moved.Super()
	for _, stored := range []string{fileKey, firstBase + fileKey} {
		w.Shop.ShowEverywhere(stored)
		pages := map[string]bool{}
		for _, s := range specs {
			if s.Method != http.MethodGet || s.IsRaw() && exports[s.Path].table == "" {
				continue
			}
			body := ""
			if s.IsRaw() {
				body = take(t.Context(), moved, s.Path, func(int, int) {}).Body.String()
			} else {
				body = string(super.GET("%s", s.Path+"?id=1&orderId=1&limit=10").Body)
			}
			require.Empty(t, optest.Lost(body, domaintest.NewBase, fileKey), s.Path)
			if strings.Contains(body, fileKey) {
				pages[s.Path] = true
			}
		}
		for _, path := range []string{
			"/admin/goods/export", "/admin/user/export", "/admin/goods/detail", "/admin/order/detail", "/admin/storage/list",
		} {
			require.True(t, pages[path], "%s shows none of %v", path, pages)
		}
		require.Greater(t, len(pages), 20, "%v", pages)
	}
}

// Staff may send the key of a file, or its address of today or of earlier, and get the address of today; in rich text
// too.
func TestRequestsMayNameAFileByItsKey(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super := w.Moved(firstBase).Super()
	const fileKey = storage.OperatorPicture // which is marked as used by no statement
	for _, sent := range []string{fileKey, firstBase + fileKey, domaintest.NewBase + fileKey} {
		for _, body := range []string{
			string(super.POST("/admin/brand/create", `{"name":"b%d","desc":"d","floorPrice":1,"picUrl":"%s"}`, len(sent), sent).Body),
			string(super.POST("/admin/topic/create",
				`{"title":"a","subtitle":"b","price":1,"readCount":"1","picUrl":"%s","goods":[],"content":"<img src='%s'>"}`,
				sent, sent).Body),
		} {
			require.Contains(t, body, domaintest.NewBase+fileKey)
			require.Empty(t, optest.Lost(body, domaintest.NewBase, fileKey))
		}
		require.Equal(t, fileKey, w.Shop.Text("SELECT pic_url FROM brand ORDER BY id DESC LIMIT 1"))
		require.Equal(t, fileKey+` <img src="`+fileKey+`">`,
			w.Shop.Text("SELECT CONCAT(pic_url, ' ', content) FROM topic ORDER BY id DESC LIMIT 1"))
	}
}
