package colour_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/colour"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"#b3331b": "#b3331b", "#B3331B": "#b3331b", "#000000": "#000000", "": "", "#fff": "", "b3331b0": "", "#b3331": "",
		"#b3331b0": "", "#gg0000": "", "red": "",
	} {
		c, ok := colour.Parse(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, c.String())
		}
	}
}

func TestContrast(t *testing.T) {
	require.InDelta(t, 21, colour.Black.Contrast(colour.White), 0.001)
	require.InDelta(t, 1, colour.White.Contrast(colour.White), 0.001)
	grey, _ := colour.Parse("#767676")
	require.InDelta(t, 4.54, grey.Contrast(colour.White), 0.005)
	require.InDelta(t, 4.54, colour.White.Contrast(grey), 0.005)
}

// Towards black every colour can be read on a light ground in the end, and a colour that can already stays.
func TestOnIsReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := colour.RGB{rapid.Uint8().Draw(t, "r"), rapid.Uint8().Draw(t, "g"), rapid.Uint8().Draw(t, "b")}
		on := c.On(colour.Black, colour.White)
		require.GreaterOrEqual(t, on.Contrast(colour.White), colour.Readable)
		if c.Contrast(colour.White) >= colour.Readable {
			require.Equal(t, c, on)
		}
	})
}
