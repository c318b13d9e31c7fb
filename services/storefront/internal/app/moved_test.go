package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/kit/optest"
)

const (
	fileKey   = "abcdefghijklmnopq234.png"
	firstBase = "http://shop.test/wx/storage/fetch/"
)

// A shop that has moved shows every picture on every page under its new address, whatever form is stored.
func TestAMovedShopShowsEveryPicture(t *testing.T) {
	t.Parallel()
	m := seeded(t, 3)
	_, err := m.Domain.Cart.Add(t.Context(), m.lin, m.wares[0])
	require.NoError(t, err)
	moved := m.Moved(firstBase)
	me := moved.As(m.lin)
	for _, stored := range []string{fileKey, firstBase + fileKey} {
		m.Domain.ShowEverywhere(stored)
		pages := map[string]bool{}
		for _, s := range moved.API.Specs {
			if s.Method != http.MethodGet || s.IsRaw() {
				continue
			}
			body := string(me.GET("%s", s.Path+listBase+"goodsId=1&orderId=1&limit=10").Body)
			require.Empty(t, optest.Lost(body, domaintest.NewBase, fileKey), s.Path)
			if strings.Contains(body, fileKey) {
				pages[s.Path] = true
			}
		}
		for _, path := range []string{
			"/wx/home/index", "/wx/goods/detail", "/wx/goods/list", "/wx/order/list", "/wx/order/detail", "/wx/cart/index",
			"/wx/comment/list", "/wx/topic/detail", "/wx/brand/list", "/wx/catalog/index",
		} {
			require.True(t, pages[path], "%s shows none of %v", path, pages)
		}
		require.Greater(t, len(pages), 20, "%v", pages)
	}
}

// A client may send the key of a file, or its address of today or of earlier, and gets the address of today.
func TestRequestsMayNameAFileByItsKey(t *testing.T) {
	t.Parallel()
	m := seeded(t, 1)
	moved := m.Moved(firstBase)
	me := moved.As(m.lin)
	const fileKey = storage.OperatorPicture // which is marked as used by no statement
	for _, sent := range []string{fileKey, firstBase + fileKey, domaintest.NewBase + fileKey} {
		m.Domain.Exec("UPDATE user SET avatar = ''")
		me.POST("/wx/auth/profile", `{"avatar":"%s"}`, sent).OK()
		me.POST("/wx/feedback/submit", `{"content":"a","feedType":"b","mobile":"13900000000","hasPicture":true,"picUrls":["%s"]}`,
			sent).OK()
		require.Equal(t, fileKey, m.Domain.Text("SELECT avatar FROM user WHERE id = ?", m.lin))
		require.Equal(t, `["`+fileKey+`"]`, m.Domain.Text("SELECT pic_urls FROM feedback ORDER BY id DESC LIMIT 1"))
		require.Contains(t, string(me.GET("/wx/auth/info").Body), `"`+domaintest.NewBase+fileKey+`"`)
	}
	me.POST("/wx/auth/profile", `{"avatar":"https://elsewhere.test/%s"}`, fileKey).OK()
	require.Equal(t, "https://elsewhere.test/"+fileKey, m.Domain.Text("SELECT avatar FROM user WHERE id = ?", m.lin))
}
