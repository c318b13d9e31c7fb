package app_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

const clear = "/wx/search/clearhistory"

func TestAShopperWritesSoMuchAMinute(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) { c.Rate.WritesPerShopper = 5 })
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	for range 5 {
		lin.POST(clear, "").OK()
	}
	refused := lin.POST(clear, "").Fails(errno.Invalid)
	require.Contains(t, string(refused.Body), text.TooMany.In(text.Chinese))
	require.Equal(t, "rate-limit", refused.Header.Get("X-Shop-Reason"))
	seconds, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	require.NoError(t, err)
	require.True(t, seconds > 0 && seconds <= 60, seconds)
	mistaken := mei.POST("/wx/feedback/submit", `{"feedType":1}`)
	require.Empty(t, mistaken.Header.Get("X-Shop-Reason")+mistaken.Header.Get("Retry-After"))
	lin.POST("/wx/feedback/submit", `{"feedType":"x","content":"y"}`).Fails(errno.Invalid)
	lin.GET("/wx/collect/list?type=0").OK()
	mei.POST(clear, "").OK()
	require.Zero(t, s.Domain.Int("SELECT COUNT(*) FROM feedback"))
}

// An IPv6 subscriber has 2^64 addresses, so all of a /64 count as one.
func TestAnAddressWritesSoMuchAMinute(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) { c.Rate.WritesPerAddress = 10 })
	login := func(address string) *errno.Code {
		s.API.Address = address
		return s.Guest().POST("/wx/auth/login", `{"username":"unknown","password":"nothing-1"}`).Code()
	}
	for i := range 10 {
		require.Equal(t, errno.AuthInvalidAccount, login(fmt.Sprintf("2001:db8::%x", i+1)))
	}
	require.Equal(t, errno.Invalid, login("2001:db8::ffff"))
	require.Equal(t, errno.AuthInvalidAccount, login("2001:db8:0:1::1"), "another network")
	require.Equal(t, errno.AuthInvalidAccount, login("192.0.2.7"))
}

func TestFeedbackHasItsOwnLimit(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) { c.Rate.Feedback = 3 })
	lin := s.Shopper("lin")
	submit := func() *errno.Code {
		return lin.POST("/wx/feedback/submit", `{"feedType":"other","content":"hello","mobile":"13900000001"}`).Code()
	}
	for range 3 {
		require.Equal(t, errno.OK, submit())
	}
	require.Equal(t, errno.Invalid, submit())
	require.Equal(t, int64(3), s.Domain.Int("SELECT COUNT(*) FROM feedback"))
	lin.POST(clear, "").OK()
}

// A form that any page can make a browser send does not use up verification codes.
func TestAForeignPageAsksForNoCode(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	page := s.Guest().With("Origin", "https://evil.example")
	body := func() *strings.Reader { return strings.NewReader(`{"mobile":"13900000001"}`) }
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		page.With("Content-Type", kind).Send(http.MethodPost, "/wx/auth/regCaptcha", body()).Fails(errno.Invalid)
	}
	page.With("Content-Type", "").Send(http.MethodPost, "/wx/auth/regCaptcha", body()).Fails(errno.Invalid)
	s.Guest().Send(http.MethodPost, "/wx/auth/regCaptcha", body()).OK()
}
