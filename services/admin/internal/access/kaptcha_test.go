package access

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
)

func TestKaptcha(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		uri, err := kaptcha(t.Context(), op.None{})
		require.NoError(t, err)
		text, found := strings.CutPrefix(uri, "data:image/png;base64,")
		require.True(t, found)
		raw, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		picture, err := png.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
		require.Equal(t, image.Rect(0, 0, kaptchaWidth, kaptchaHeight), picture.Bounds())
		seen[uri] = true
	}
	require.Len(t, seen, 200)
}
