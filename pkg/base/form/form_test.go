package form_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/form"
)

func TestLink(t *testing.T) {
	tests := map[string]struct{ web, link bool }{
		"https://shop.test/a.png":               {true, true},
		"http://shop.test":                      {true, true},
		"HTTPS://shop.test/图.png?x=1#y":         {true, true},
		"https://shop.test:8443/a b.png":        {true, true},
		"http://[::1]:8080/a":                   {true, true},
		"http://茶.shop.test/a":                  {true, true},
		"http://a\u2044b/":                      {}, // a fraction slash, which browsers refuse in a host
		"":                                      {false, true},
		"19":                                    {false, true},
		"/pages/goods/goods?id=1":               {false, true},
		"pages/index/index":                     {false, true},
		"key.png":                               {false, true},
		"?to=http://shop.test":                  {false, true},
		"/a:b":                                  {false, true},
		"javascript:alert(1)":                   {},
		"JaVaScRiPt:alert(1)":                   {},
		" javascript:alert(1)":                  {},
		"java\tscript:alert(1)":                 {},
		"java\nscript:alert(1)":                 {},
		"\x01javascript:alert(1)":               {},
		"javascript\u200b:alert(1)":             {},
		"javascript&colon;alert(1)":             {false, true}, // a path: nobody decodes entities in a JSON member
		"data:text/html,<script>":               {},
		"data:image/png;base64,AA==":            {},
		"vbscript:x":                            {},
		"file:///etc/passwd":                    {},
		"blob:https://shop.test/1":              {},
		"intent://x#Intent;end":                 {},
		"//evil.test/a":                         {},
		"\\\\evil.test":                         {},
		"/\\evil.test":                          {},
		"/\t/evil.test":                         {},
		"http:evil.test":                        {},
		"http:/evil.test":                       {},
		"http:///evil.test":                     {},
		"http://:80/":                           {},
		"http://shop.test@evil.test/":           {},
		"http://user:pw@evil.test/":             {},
		"http://evil.test\\@shop.test/":         {},
		"http://shop.test/\u202egnp.exe":        {},
		"http://shop.test/ ":                    {},
		"https://shop.test/\xff":                {},
		"https://s/" + strings.Repeat("x", 246): {},
		"https://s/" + strings.Repeat("x", 245): {true, true},
	}
	for text, want := range tests {
		require.Equal(t, want.web, form.Web(text), "%q as an address of the web", text)
		require.Equal(t, want.link, form.Link(text), "%q as a link", text)
		if len(text) < form.MaxWebAddress {
			require.Equal(t, want.link, form.Harmless(text), "%q, stored", text)
			require.Equal(t, want.link && text != "", form.Shown(text) != "", "%q, shown", text)
		}
	}
}

// Stored addresses may be longer than entered ones.
func TestStoredAddressesMayBeLong(t *testing.T) {
	long := "https://s/" + strings.Repeat("x", form.MaxWebAddress)
	require.False(t, form.Link(long))
	require.Equal(t, long, form.Shown(long))
	require.Empty(t, form.Shown("javascript:"+long))
}

// No link has a scheme other than those of the web, even as a browser reads it, which drops tabs, line feeds and
// surrounding blanks.
func TestNoLinkRunsAScript(t *testing.T) {
	drops := strings.NewReplacer("\t", "", "\n", "", "\r", "")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("javscriptdhp:/\\?#@\t\n\r \x00\x01\u200b1")), 0, 20, -1).Draw(t, "text")
		if !form.Link(text) {
			return
		}
		read := strings.ReplaceAll(drops.Replace(strings.Trim(text, "\x00\x01 ")), "\\", "/")
		if scheme, _, found := strings.Cut(read, ":"); found && !strings.ContainsAny(scheme, "/?#") {
			require.Contains(t, []string{"http", "https"}, strings.ToLower(scheme))
			require.True(t, form.Web(text))
			return
		}
		require.False(t, strings.HasPrefix(read, "//"))
	})
}
