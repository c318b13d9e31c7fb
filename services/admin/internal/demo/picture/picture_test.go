package picture_test

import (
	"bytes"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/admin/internal/demo/picture"
)

func TestEveryThingCanBeDrawn(t *testing.T) {
	for _, name := range picture.Names() {
		t.Run(name, func(t *testing.T) {
			one, err := picture.Thing(name, 7)
			require.NoError(t, err)
			again, err := picture.Thing(name, 7)
			require.NoError(t, err)
			require.Equal(t, one, again, "the same name and number give the same bytes")
			other, err := picture.Thing(name, 8)
			require.NoError(t, err)
			require.NotEqual(t, one, other, "another number gives another picture")
			require.Less(t, len(one), 40_000)

			img, err := png.Decode(bytes.NewReader(one))
			require.NoError(t, err)
			require.Equal(t, picture.Side, img.Bounds().Dx())
			require.Equal(t, picture.Side, img.Bounds().Dy())
		})
	}
	_, err := picture.Thing("nothing", 1)
	require.Error(t, err)
}

func TestBannersAndIcons(t *testing.T) {
	wide, err := picture.Banner(3, "mug", "tea", "lamp")
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(wide))
	require.NoError(t, err)
	require.Equal(t, 750, img.Bounds().Dx())
	require.Equal(t, 300, img.Bounds().Dy())
	_, err = picture.Icon("shoe", 2)
	require.NoError(t, err)
}
