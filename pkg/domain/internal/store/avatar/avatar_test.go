package avatar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/avatar"
)

func TestDefault(t *testing.T) {
	d := avatar.Default("https://shop.test/none.png")
	require.Equal(t, "https://shop.test/none.png", d.Shown(""))
	require.Equal(t, "https://shop.test/lin.png", d.Shown("https://shop.test/lin.png"))
	require.Equal(t, "https://shop.test/none.png", d.Shown("javascript:x"))
	require.Empty(t, d.Stored(d.Shown("")))
	require.Equal(t, "https://shop.test/lin.png", d.Stored("https://shop.test/lin.png"))
	require.Empty(t, avatar.Default("").Shown(""))
	require.Empty(t, avatar.Default("").Stored(""))
}
