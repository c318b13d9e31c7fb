package demo

import (
	"image/png"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheShopHasThePicturesThatItShows(t *testing.T) {
	t.Parallel()
	names, err := pictureNames()
	require.NoError(t, err)
	files, err := fs.Glob(pictures, "data/pictures/*.png")
	require.NoError(t, err)
	have := make([]string, len(files))
	for i, f := range files {
		have[i] = path.Base(f)
	}
	require.Equal(t, names, have, "what is missing is rendered by data/pictures/render.py NAME, what is too much goes")

	for i, name := range names {
		f, err := pictures.Open(files[i])
		require.NoError(t, err)
		image, err := png.Decode(f)
		require.NoError(t, err, name)
		require.NoError(t, f.Close())
		width, height := 400, 400
		switch {
		case strings.HasSuffix(name, "-icon.png"):
			width, height = 160, 160
		case strings.HasSuffix(name, "-banner.png"):
			width, height = 750, 300
		}
		require.Equal(t, [2]int{width, height}, [2]int{image.Bounds().Dx(), image.Bounds().Dy()}, name)
	}
}
