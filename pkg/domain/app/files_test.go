package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/storage"
)

const (
	fileKey   = "abcdefghijklmnopq234.png"
	firstBase = "http://shop.test/wx/storage/fetch/"
)

// storeKeys runs the job until nothing is left.
func storeKeys(t *testing.T, d *app.Domain) {
	t.Helper()
	for _, j := range d.Jobs() {
		if j.Name != "fileKeys" {
			continue
		}
		for {
			n, err := j.Run(t.Context())
			require.NoError(t, err)
			if n == 0 {
				return
			}
		}
	}
	t.Fatal("no such job")
}

// Rows of an earlier release get keys, in every column; addresses elsewhere stay. With a base more they get them again.
func TestOldRowsGetKeys(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	s.Exec("INSERT INTO notice (title, content, add_time, update_time) VALUES ('a', '', ?, ?)", s.Clock.Now(), s.Clock.Now())
	moved := s.Moved("http://before.test/x/", firstBase)
	versions := s.Text("SELECT GROUP_CONCAT(version, update_time ORDER BY id) FROM goods")
	for _, base := range []string{firstBase, domaintest.NewBase, "http://before.test/x/"} {
		s.ShowEverywhere(base + fileKey)
		s.Exec("DELETE FROM list_counter")
		storeKeys(t, moved)
		s.Holds(fileKey)
	}
	require.Equal(t, versions, s.Text("SELECT GROUP_CONCAT(version, update_time ORDER BY id) FROM goods"))
	for _, other := range []string{"https://elsewhere.test/" + fileKey, "http://older.test/" + fileKey} {
		s.ShowEverywhere(other)
		s.Exec("DELETE FROM list_counter")
		storeKeys(t, moved)
		s.Holds(other)
	}
	storeKeys(t, s.Moved("http://older.test/"))
	s.Holds(fileKey)
}

// The books agree on either form, on a mixture, and after a move.
func TestBooksAgreeOnEitherForm(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	verify := func(d *app.Domain) {
		t.Helper()
		require.NoError(t, d.Consistency.Verify(t.Context(), func(d consistency.Disagreement) error {
			t.Errorf("the books disagree: %+v", d)
			return nil
		}, nil))
	}
	s.Agree()
	verify(s.Moved(firstBase))
	key := s.Text("SELECT pic_url FROM goods WHERE pic_url <> '' LIMIT 1")
	require.NotContains(t, key, "/")
	n := 0
	for _, column := range s.AddressColumns() {
		table, name, _ := strings.Cut(column, ".")
		changed, err := s.TryExec("UPDATE "+table+" SET "+name+" = REPLACE("+name+", ?, ?)", key, firstBase+key)
		require.NoError(t, err)
		if changed > 0 {
			n++
			verify(s.Domain)
		}
	}
	require.Greater(t, n, 8)
	moved := s.Moved(firstBase)
	verify(moved)
	storeKeys(t, moved)
	verify(moved)
	require.Equal(t, key, s.Text("SELECT pic_url FROM goods WHERE pic_url <> '' LIMIT 1"))
}

// Whoever writes an address of the shop or a key, in whatever form, gets the address back, and only the key is stored.
func TestKeysAreStored(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	moved, ctx := s.Moved(firstBase), t.Context()
	for _, sent := range []string{fileKey, firstBase + fileKey, domaintest.NewBase + fileKey} {
		made, err := moved.Content.CreateTopic(ctx, content.Topic{
			TopicSummary: content.TopicSummary{Title: "a", PicURL: moved.Storage.Address(sent)},
			Content:      `<img src="` + sent + `"/><img src="https://elsewhere.test/a.png"/>`,
		})
		require.NoError(t, err)
		got, err := moved.Content.Topic(ctx, made.ID)
		require.NoError(t, err)
		for _, topic := range []content.Topic{made, got} {
			require.Equal(t, domaintest.NewBase+fileKey, topic.PicURL)
			require.Equal(t, `<img src="`+domaintest.NewBase+fileKey+`"/><img src="https://elsewhere.test/a.png"/>`, topic.Content)
		}
		require.Equal(t, fileKey+` <img src="`+fileKey+`"/><img src="https://elsewhere.test/a.png"/>`,
			s.Text("SELECT CONCAT(pic_url, ' ', content) FROM topic ORDER BY id DESC LIMIT 1"))
	}
}

// The picture for sharing is replaced whatever form is stored.
func TestShareImageIsReplaced(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	id := s.Product("tea", 100, 1).GoodsID
	for _, is := range []string{fileKey, firstBase + fileKey} {
		s.Exec("UPDATE goods SET share_url = ?", is)
		g, err := s.Catalog.Goods(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, firstBase+fileKey, g.ShareURL)
		s.InTx(func(tx *db.Tx) error {
			done, err := s.Catalog.SetShareURL(t.Context(), tx, id, g.ShareURL, firstBase+"z"+fileKey[1:])
			require.True(t, done)
			return err
		})
		require.Equal(t, "z"+fileKey[1:], s.Text("SELECT share_url FROM goods"))
	}
}

// An upgraded shop stores whole addresses for a time, since the release before may run beside; a new one never does.
func TestUpgradedShopKeepsAddresses(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	keep := func() *app.Domain {
		d := s.With(func(c *app.Config) { c.KeepAddresses = time.Hour })
		require.NoError(t, d.CheckSchema(t.Context()))
		return d
	}
	stored := func(d *app.Domain) string {
		o, err := d.Storage.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 1}, "a.txt", []byte("text"))
		require.NoError(t, err)
		require.Equal(t, firstBase+o.Key, o.URL)
		return strings.ReplaceAll(s.Text("SELECT url FROM storage ORDER BY id DESC LIMIT 1"), o.Key, "key")
	}
	require.Equal(t, "key", stored(keep()))
	require.Equal(t, "key", stored(keep()), "later processes know that the shop is new")

	s.Exec("DELETE FROM list_counter")
	d := keep()
	s.Clock.Move(59 * time.Minute)
	later := keep()
	for _, d := range []*app.Domain{d, later} {
		require.Equal(t, firstBase+"key", stored(d))
		storeKeys(t, d)
	}
	require.Equal(t, firstBase, s.Text("SELECT LEFT(url, LENGTH(?)) FROM storage ORDER BY id DESC LIMIT 1", firstBase))
	s.Clock.Move(time.Minute)
	for _, d := range []*app.Domain{d, later} {
		require.Equal(t, "key", stored(d))
	}
	storeKeys(t, d)
	require.Zero(t, s.Int("SELECT COUNT(*) FROM storage WHERE url <> storage_key"))
}
