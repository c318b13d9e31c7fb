package storage

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
)

// Arbitrary bytes are redrawn or refused, and a redrawn picture can be redrawn again.
func FuzzPictures(f *testing.F) {
	f.Add([]byte("GIF89a\x00\x01\x00\x01\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b"))
	f.Add([]byte("GIF89a<script>"))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x01Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00"))
	f.Add([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"))
	f.Add([]byte("RIFF\x22\x00\x00\x00WEBPVP8 "))
	f.Add([]byte("RIFF\x62\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x3a\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00ANMF\x2e\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00d\x00\x00\x00" +
		"VP8 \x16\x00\x00\x000\x01\x00\x9d\x01*\x01\x00\x01\x00\x0e\xc0\xfe%\xa4\x00\x03p\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		orientation(data, "image/jpeg")
		kind := typeOf(data, Owner{Kind: Shopper})
		drawn, err := newPainter().draw(t.Context(), data, kind)
		if err != nil {
			require.ErrorIs(t, err, errno.Invalid)
			return
		}
		require.Equal(t, kind, typeOf(drawn, Owner{Kind: Shopper}))
		_, err = newPainter().draw(t.Context(), drawn, kind)
		require.NoError(t, err)
	})
}
