package share_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/share"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/domain/wechat"
)

// fixture is a shop that offers share images, with codes that lead to a public page.
type fixture struct {
	*domaintest.Shop
	t   *testing.T
	tea cart.AddRequest
}

const page = "https://shop.test/goods/{goods}?group={group}"

func open(t *testing.T) *fixture {
	t.Helper()
	g := &fixture{Shop: domaintest.Open(t), t: t}
	_, err := g.Settings.Fill(t.Context())
	require.NoError(t, err)
	g.tea = g.Product("tea", 12900, 100)
	g.picture(color.RGBA{G: 0xa0, A: 0xff})
	g.Share.Config.Page = page
	g.offer("true")
	return g
}

// offer sets whether the shop offers share images.
func (g *fixture) offer(on string) {
	g.t.Helper()
	g.Exec("UPDATE system_config SET key_value = ? WHERE key_name = 'litemall_wx_share'", on)
	g.Clock.Move(time.Second)
}

// picture gives the tea a single-coloured picture that is stored here.
func (g *fixture) picture(c color.Color) {
	g.t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 40, 40))
	draw.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	require.NoError(g.t, png.Encode(&b, m))
	o, err := g.Storage.Put(g.t.Context(), storage.Owner{Kind: storage.Operator, ID: 1}, "tea.png", b.Bytes())
	require.NoError(g.t, err)
	g.Exec("UPDATE goods SET pic_url = ? WHERE id = ?", o.URL, g.tea.GoodsID)
}

// changed reports a change of the tea like the administration.
func (g *fixture) changed() {
	g.t.Helper()
	g.InTx(func(tx *db.Tx) error { return g.Share.GoodsChanged(g.t.Context(), tx, g.tea.GoodsID) })
}

// deliver delivers the due events of share images and returns how many are done.
func (g *fixture) deliver() int64 {
	g.t.Helper()
	before := g.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ? AND state = 1", share.Topic)
	_, err := g.Outbox.DeliverAside(g.t.Context())
	require.NoError(g.t, err)
	return g.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ? AND state = 1", share.Topic) - before
}

func (g *fixture) events() int64 {
	g.t.Helper()
	return g.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", share.Topic)
}

// again makes all events due again, as after a crash between the work and its record.
func (g *fixture) again() {
	g.t.Helper()
	g.Exec("UPDATE outbox_event SET state = 0, attempts = 0, locked_until = NULL WHERE topic = ?", share.Topic)
}

func (g *fixture) shown() string {
	g.t.Helper()
	return g.Storage.Address(g.Text("SELECT COALESCE(share_url, '') FROM goods WHERE id = ?", g.tea.GoodsID))
}

// live is the number of share images.
func (g *fixture) live() int64 {
	g.t.Helper()
	return g.Int("SELECT COUNT(*) FROM storage WHERE name LIKE 'share-%' AND deleted = 0")
}

// fetch reads the picture at an address as shoppers do.
func (g *fixture) fetch(address string) image.Image {
	g.t.Helper()
	key, ok := strings.CutPrefix(address, "http://shop.test/wx/storage/fetch/")
	require.True(g.t, ok, address)
	_, r, err := g.Storage.Open(g.t.Context(), key)
	require.NoError(g.t, err)
	defer r.Close()
	data, err := io.ReadAll(r)
	require.NoError(g.t, err)
	m, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(g.t, err)
	return m
}

// read decodes the code on an image; "" is none.
func read(t *testing.T, m image.Image) string {
	t.Helper()
	bits, err := gozxing.NewBinaryBitmapFromImage(m)
	require.NoError(t, err)
	found, err := qrcode.NewQRCodeReader().Decode(bits, nil)
	if err != nil {
		require.ErrorAs(t, err, new(gozxing.NotFoundException))
		return ""
	}
	return found.GetText()
}

// near reports whether an image has a colour at a point, within the tolerance of JPEG.
func near(m image.Image, x, y int, want color.RGBA) bool {
	r, g, b, _ := m.At(x, y).RGBA()
	off := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d < -6 || d > 6 }
	return !off(r, want.R) && !off(g, want.G) && !off(b, want.B)
}

// inked reports whether anything is printed in the place of the price.
func inked(m image.Image, top, bottom int) bool {
	for y := top; y < bottom; y++ {
		for x := 40; x < 450; x++ {
			if !near(m, x, y, color.RGBA{R: 255, G: 255, B: 255}) {
				return true
			}
		}
	}
	return false
}

func TestGoods(t *testing.T) {
	t.Parallel()
	g := open(t)
	before := g.Text("SELECT CONCAT(update_time, ' ', version) FROM goods WHERE id = ?", g.tea.GoodsID)
	var told []catalog.Change
	g.Catalog.OnChange(func(c catalog.Change) { told = append(told, c) })
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	m := g.fetch(g.shown())
	require.Equal(t, image.Pt(750, 1050), m.Bounds().Size())
	require.True(t, near(m, 375, 375, color.RGBA{G: 0xa0}), "the goods' own picture")
	require.True(t, inked(m, 830, 900), "the price")
	require.False(t, inked(m, 920, 1000), "no other price")
	require.Equal(t, strings.NewReplacer("{goods}", g.Text("SELECT ?", g.tea.GoodsID), "{group}", "0").Replace(page), read(t, m))
	require.Equal(t, before, g.Text("SELECT CONCAT(update_time, ' ', version) FROM goods WHERE id = ?", g.tea.GoodsID))
	require.Equal(t, []catalog.Change{{Goods: g.tea.GoodsID}}, told, "a kept page learns of it")
	d, err := g.Catalog.Goods(t.Context(), g.tea.GoodsID)
	require.NoError(t, err)
	require.Equal(t, g.shown(), d.ShareURL)
}

func TestDeliveredTwice(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	first := g.shown()
	g.again()
	g.changed() // and a change that the image does not show
	require.EqualValues(t, 2, g.deliver())
	require.Equal(t, first, g.shown())
	require.EqualValues(t, 1, g.live())
	require.EqualValues(t, 1, g.Int("SELECT COUNT(*) FROM storage WHERE name LIKE 'share-%'"), "nothing is made in vain")

	g.picture(color.RGBA{B: 0xff, A: 0xff})
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	require.NotEqual(t, first, g.shown())
	require.True(t, near(g.fetch(g.shown()), 375, 375, color.RGBA{B: 0xff}))
	require.EqualValues(t, 1, g.live(), "the old one is gone")
	_, _, err := g.Storage.Open(t.Context(), first[strings.LastIndexByte(first, '/')+1:])
	require.ErrorIs(t, err, storage.ErrUnknown)
}

// An address set by an operator or an import is replaced, but its file is not removed.
func TestAPictureOfSomebodyElse(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.Exec("UPDATE goods SET share_url = pic_url WHERE id = ?", g.tea.GoodsID)
	theirs := g.shown()
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	require.NotEqual(t, theirs, g.shown())
	_, err := g.Storage.ByURL(t.Context(), theirs)
	require.NoError(t, err)
}

// TestOnlyOwnPicturesAreRead lets an operator enter the address of another server.
func TestOnlyOwnPicturesAreRead(t *testing.T) {
	t.Parallel()
	g := open(t)
	asked := 0
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer foreign.Close()
	own := g.Text("SELECT storage_key FROM storage WHERE name = 'tea.png'")
	for _, address := range []string{
		foreign.URL + "/secret.png", foreign.URL + "/" + own, "http://shop.test@" + foreign.URL[7:] + "/" + own, "file:///etc/passwd", "",
	} {
		g.Exec("UPDATE goods SET pic_url = ? WHERE id = ?", address, g.tea.GoodsID)
		g.changed()
		require.EqualValues(t, 1, g.deliver(), address)
		m := g.fetch(g.shown())
		require.True(t, near(m, 375, 375, color.RGBA{R: 0xee, G: 0xee, B: 0xee}), address)
		require.NotEmpty(t, read(t, m))
	}
	require.Zero(t, asked)
}

func TestNoSharePicturesOffered(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.offer("false")
	g.changed()
	g.group()
	require.Zero(t, g.events())
}

func TestDeletedGoods(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.changed()
	g.Exec("UPDATE goods SET deleted = 1 WHERE id = ?", g.tea.GoodsID)
	require.EqualValues(t, 1, g.deliver(), "there is nothing to do")
	require.Zero(t, g.live())
	require.Empty(t, g.shown())
}

func TestNowhereToLead(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.Share.Config.Page = ""
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	m := g.fetch(g.shown())
	require.Empty(t, read(t, m))
	require.True(t, inked(m, 830, 900), "the price")
}

func TestALongAddress(t *testing.T) {
	t.Parallel()
	g := open(t)
	g.Share.Config.Page = "https://shop.test/{goods}/" + strings.Repeat("x", 200)
	g.changed()
	require.EqualValues(t, 1, g.deliver())
	require.True(t, strings.HasSuffix(read(t, g.fetch(g.shown())), "xxx"))
	g.Share.Config.Page = strings.Repeat("x", 5000)
	g.changed()
	require.Zero(t, g.deliver())
	require.EqualValues(t, 1, g.Int("SELECT COUNT(*) FROM outbox_event WHERE state = 2"), "no try will be better")
}

func TestTheAppsOwnCode(t *testing.T) {
	t.Parallel()
	g := open(t)
	app, err := wechat.New(g.App.Config())
	require.NoError(t, err)
	g.Share.Config = share.Config{App: app, AppPage: "pages/index/index", Page: page}
	g.App.Refuse(45009)
	g.changed()
	require.Zero(t, g.deliver())
	require.Empty(t, g.shown(), "no picture leads nowhere because the platform was busy")
	g.App.Refuse(0)
	g.Clock.Move(time.Second)
	require.EqualValues(t, 1, g.deliver(), "it is tried again")
	require.Equal(t, "pages/index/index?goods,"+g.Text("SELECT ?", g.tea.GoodsID), read(t, g.fetch(g.shown())))
	opened := g.group()
	require.EqualValues(t, 1, g.deliver())
	require.Equal(t, "pages/index/index?groupon,"+g.Text("SELECT ?", opened), read(t, g.fetch(g.ofGroup(opened))))
}

// slow is an app in which something happens while a code is created.
type slow struct {
	share.App
	meanwhile func()
}

func (s slow) Code(ctx context.Context, page, scene string) ([]byte, error) {
	s.meanwhile()
	return s.App.Code(ctx, page, scene)
}

// If an image was replaced concurrently, it is rendered again, and the obsolete one does not remain.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	g := open(t)
	app, err := wechat.New(g.App.Config())
	require.NoError(t, err)
	g.Share.Config.App = slow{app, func() { g.Exec("UPDATE goods SET share_url = 'http://shop.test/other.png'") }}
	g.changed()
	require.Zero(t, g.deliver())
	require.Equal(t, "http://shop.test/other.png", g.shown())
	require.Zero(t, g.live())
	g.Clock.Move(time.Second)
	require.EqualValues(t, 1, g.deliver())
	require.EqualValues(t, 1, g.live())

	g.Clock.Move(time.Second)
	g.picture(color.RGBA{B: 0xff, A: 0xff})
	shown := g.shown()
	g.Share.Config.App = slow{app, func() { g.Exec("UPDATE goods SET deleted = 1") }}
	g.changed()
	require.Zero(t, g.deliver())
	g.Clock.Move(time.Second)
	require.EqualValues(t, 1, g.deliver())
	require.Equal(t, shown, g.shown())
	require.EqualValues(t, 1, g.live())
}

// A new image is rendered after the commit, and only if it would differ.
func TestEditorsGoodsAreDrawn(t *testing.T) {
	t.Parallel()
	g := open(t)
	id, err := g.Catalog.Add(t.Context(), catalog.NewGoods{
		Goods:          catalog.Goods{SN: "S", Name: "saucer", OnSale: true},
		Specifications: []catalog.Specification{{Group: "size", Value: "s"}},
		Products:       []catalog.Product{{Specifications: []string{"s"}, Price: 100, Number: 1}},
	})
	require.NoError(t, err)
	require.EqualValues(t, 1, g.events())
	require.EqualValues(t, 1, g.deliver())
	address := g.Storage.Address(g.Text("SELECT share_url FROM goods WHERE id = ?", id))
	require.NotEmpty(t, address)
	edit := catalog.GoodsEdit{ID: id, Change: func(g *catalog.Goods) { g.Brief = "round" }}
	require.NoError(t, g.Catalog.Edit(t.Context(), actor.System, edit))
	require.EqualValues(t, 1, g.events(), "nothing of the picture is new")
	require.Equal(t, address, g.Storage.Address(g.Text("SELECT share_url FROM goods WHERE id = ?", id)), "and it stays")
	edit.Change = func(g *catalog.Goods) { g.Name = "bowl" }
	require.NoError(t, g.Catalog.Edit(t.Context(), actor.System, edit))
	require.EqualValues(t, 2, g.events())
	g.offer("false")
	edit.Change = func(g *catalog.Goods) { g.Name = "plate" }
	require.NoError(t, g.Catalog.Edit(t.Context(), actor.System, edit))
	require.EqualValues(t, 2, g.events(), "the shop offers none")
}
