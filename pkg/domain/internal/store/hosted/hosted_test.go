package hosted_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/hosted"
)

const (
	today   = "https://new.test/wx/storage/fetch/"
	earlier = "http://old.test:8080/files/"
	key     = "abcdefghijklmnopq234.png"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func bases() *hosted.Bases {
	return hosted.New(today, []string{earlier, today, ""}, func() time.Time { return noon })
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	b := bases()
	for given, stored := range map[string]string{
		key: key, today + key: key, earlier + key: key, earlier + key + "?w=1": key + "?w=1", key + "#top": key + "#top",
		earlier + hosted.ShopperPicture: hosted.ShopperPicture,
	} {
		require.Equal(t, stored, b.Stored(given))
		require.Equal(t, today+stored, b.Shown(given))
		require.Equal(t, stored, b.Stored(b.Shown(stored)))
	}
	for _, other := range []string{
		"", "https://elsewhere.test/" + key, "/pages/tea", "17", today, today + "tea.png", today + "a/" + key, key[1:],
		key + "/x", "abcdefghijklmnopq234.", "javascript:" + key, "internationalization",
	} {
		require.Equal(t, other, b.Stored(other))
		require.Equal(t, other, b.Shown(other))
		require.Equal(t, []string{other}, b.Forms(other))
	}
	require.Equal(t, []string{key, today + key, earlier + key}, b.Forms(key))
}

func TestAddressesInHTML(t *testing.T) {
	t.Parallel()
	b := bases()
	page := func(base string) string {
		return `<p>` + key + ` <img alt="` + key + `" src="` + base + key + `"><a href='` + base + key + `?a=1'>` +
			`<img SRC="https://elsewhere.test/` + key + `"><img src="` + today + `x.png"></a></p>`
	}
	for _, base := range []string{"", today, earlier} {
		require.Equal(t, page(""), b.StoredIn(page(base)))
		require.Equal(t, page(today), b.ShownIn(page(base)))
	}
}

// Until keys may be stored, addresses are stored whole, with the base of today.
func TestWhole(t *testing.T) {
	t.Parallel()
	b := bases()
	b.StoreKeysFrom(noon.Add(time.Second))
	require.False(t, b.StoresKeys())
	require.Equal(t, today+key, b.Stored(earlier+key))
	require.Equal(t, ` src="`+today+key+`"`, b.StoredIn(` src="`+key+`"`))
	b.StoreKeysFrom(noon)
	require.True(t, b.StoresKeys())
	require.Equal(t, key, b.Stored(earlier+key))
}

func TestWithoutBases(t *testing.T) {
	t.Parallel()
	var b *hosted.Bases
	require.Equal(t, today+key, b.Stored(today+key))
	require.Equal(t, key, b.Shown(key))
	require.Equal(t, key, b.StoredIn(key))
	require.False(t, b.StoresKeys())
}
