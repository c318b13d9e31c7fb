package upload_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/upload"
)

func TestKeys(t *testing.T) {
	one, other := upload.NewKey()+".png", upload.NewKey()+".webp"
	for text, want := range map[string][]string{
		"":  nil,
		one: {one},
		"http://shop.test/wx/storage/fetch/" + one:           {one},
		"https://cdn.test/prefix" + one + "?size=1":          {one},
		`["http://shop.test/` + one + `","` + one + `"]`:     {one},
		`<p>\u003cimg src=\"/` + one + `\"\u003e. a.png</p>`: {one},
		one[1:]:                            nil,
		"http://a.test/b.png":              nil,
		strings.ToUpper(one):               nil,
		strings.Repeat("a", 19) + "-b.png": nil,
	} {
		require.Equal(t, want, upload.Keys(text), "%s", text)
	}
	require.ElementsMatch(t, []string{one, other}, upload.Keys(other+" "+one))
	require.Regexp(t, `^[a-z2-7]{20}\.png$`, one)
}
