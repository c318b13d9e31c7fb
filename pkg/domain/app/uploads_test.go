package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/storage"
)

const month = 30 * 24 * time.Hour

// uploads is a shop that keeps unused uploads for a month.
type uploads struct {
	*domaintest.Shop
	t    testing.TB
	kept *app.Domain
	lin  int64
}

func newUploads(t testing.TB) uploads {
	s := domaintest.Open(t)
	return uploads{s, t, s.WithRetention(app.Retention{Uploads: month}), s.Shopper("lin")}
}

func (u uploads) put(owner storage.Owner) storage.Object {
	u.t.Helper()
	var b bytes.Buffer
	require.NoError(u.t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	o, err := u.Storage.Put(u.t.Context(), owner, "a.png", b.Bytes())
	require.NoError(u.t, err)
	return o
}

func (u uploads) mine() storage.Object { return u.put(storage.Owner{Kind: storage.Shopper, ID: u.lin}) }

func (u uploads) there(o storage.Object) bool {
	u.t.Helper()
	_, r, err := u.Storage.Open(u.t.Context(), o.Key)
	if errors.Is(err, storage.ErrUnknown) {
		return false
	}
	require.NoError(u.t, err)
	require.NoError(u.t, r.Close())
	return true
}

// purge removes what is due, including files.
func (u uploads) purge() {
	u.t.Helper()
	for range 3 {
		_, err := u.Storage.PurgeUnused(u.t.Context(), u.Clock.Now().Add(-month))
		require.NoError(u.t, err)
		_, err = u.Outbox.DeliverAside(u.t.Context())
		require.NoError(u.t, err)
	}
}

func TestUnusedUploadsAreRemoved(t *testing.T) {
	t.Parallel()
	u := newUploads(t)
	old := u.mine()
	others := []storage.Object{
		u.put(storage.Owner{Kind: storage.Operator, ID: 1}), u.put(storage.Owner{Kind: storage.Shopper}),
		u.put(storage.Owner{Kind: storage.Shop}),
	}
	u.Clock.Move(month)
	young := u.mine()
	u.purge()
	require.True(t, u.there(old), "it is a month old and not older")
	u.Clock.Move(time.Second)
	purge(t, u.Domain)
	require.True(t, u.there(old), "nothing goes unless it is said how long it stays")
	require.Equal(t, 1, purge(t, u.kept))
	require.False(t, u.there(old))
	require.EqualValues(t, 1, u.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = ?", storage.TopicPurge))
	_, err := u.Outbox.DeliverAside(t.Context())
	require.NoError(t, err)
	u.Exec("UPDATE storage SET deleted = 0, del_mark = 0 WHERE storage_key = ?", old.Key)
	_, _, err = u.Storage.Open(t.Context(), old.Key)
	require.Error(t, err, "the file is gone as well")
	require.NotErrorIs(t, err, storage.ErrUnknown)
	u.Exec("UPDATE storage SET deleted = 1, del_mark = id WHERE storage_key = ?", old.Key)
	for _, o := range append(others, young) {
		require.True(t, u.there(o), "%v", o.Owner)
	}
	require.ErrorIs(t, u.submit(old), errno.Invalid, "nobody begins to use what is gone")
	u.Clock.Move(8 * 24 * time.Hour)
	u.purge()
	require.Zero(t, u.Int("SELECT COUNT(*) FROM storage WHERE storage_key = ?", old.Key), "nor does its row stay")
	u.Agree()
}

func (u uploads) submit(o storage.Object) error {
	return u.Engagement.Submit(u.t.Context(), engagement.Feedback{
		Shopper: u.lin, FeedType: "a", Content: "b", Mobile: "13900000001", Pictures: []string{"http://a/b.png", o.URL},
	})
}

func (u uploads) goods(name string, change func(*catalog.NewGoods)) error {
	n := catalog.NewGoods{
		Goods:          catalog.Goods{SN: name, Name: name, Unit: "a"},
		Specifications: []catalog.Specification{{Group: "a", Value: "b"}},
		Products:       []catalog.Product{{Specifications: []string{"b"}, Price: money.Yuan(1), Number: 1}},
	}
	change(&n)
	_, err := u.Catalog.Create(u.t.Context(), n)
	return err
}

// received returns an order for which an after-sale request is allowed.
func (u uploads) received() int64 {
	u.Address(u.lin)
	id := u.Order(u.lin, u.Product("tea", money.Yuan(9), 9))
	u.Pay(u.lin, id)
	u.Exec("UPDATE orders SET order_status = ?, confirm_time = ? WHERE id = ?", int(order.Received), u.Clock.Now(), id)
	return id
}

// uses write an address into each of the columns of entered texts.
func (u uploads) uses() map[string]func(address string) error {
	ctx := u.t.Context()
	return map[string]func(string) error{
		"user.avatar": func(a string) error { return u.Accounts.SaveProfile(ctx, u.lin, account.Changes{Avatar: a}) },
		"comment.pic_urls": func(a string) error {
			_, err := u.Reviews.Create(ctx, review.Comment{Kind: review.Topic, UserID: u.lin, Star: 5, Pictures: []string{a}})
			return err
		},
		"feedback.pic_urls": func(a string) error { return u.submit(storage.Object{URL: a}) },
		"aftersale.pictures": func(a string) error {
			_, err := u.Aftersales.Submit(ctx, u.lin, aftersale.Submission{
				OrderID: u.received(), Reason: "a", Amount: new(money.Yuan(1)), Pictures: []string{a},
			})
			return err
		},
		"ad.url": func(a string) error {
			_, err := u.Content.CreateBanner(ctx, content.Banner{Name: "a", URL: a})
			return err
		},
		"ad.link": func(a string) error {
			_, err := u.Content.CreateBanner(ctx, content.Banner{Name: "a", Link: a})
			return err
		},
		"keyword.url": func(a string) error {
			_, err := u.Content.CreateKeyword(ctx, content.Keyword{Word: "a", URL: a})
			return err
		},
		"topic.pic_url": func(a string) error {
			_, err := u.Content.CreateTopic(ctx, content.Topic{
				TopicSummary: content.TopicSummary{Title: "a", PicURL: a}, Content: "a",
			})
			return err
		},
		"topic.content": func(a string) error {
			_, err := u.Content.CreateTopic(ctx, content.Topic{
				TopicSummary: content.TopicSummary{Title: "b"}, Content: `<p><img src="` + a + `"></p>`,
			})
			return err
		},
		"notice.content": func(a string) error {
			_, err := u.Access.CreateNotice(ctx, actor.Operator(1), "a", `<img src="`+a+`">`)
			return err
		},
		"brand.pic_url": func(a string) error {
			_, err := u.Catalog.CreateBrand(ctx, catalog.Brand{Name: "a", PicURL: a})
			return err
		},
		"category.icon_url": func(a string) error {
			_, err := u.Catalog.CreateCategory(ctx, catalog.Category{Name: "a", Level: "L1", IconURL: a})
			return err
		},
		"category.pic_url": func(a string) error {
			c, err := u.Catalog.CreateCategory(ctx, catalog.Category{Name: "b", Level: "L1"})
			require.NoError(u.t, err)
			_, err = u.Catalog.ChangeCategory(ctx, c.ID, func(c *catalog.Category) { c.PicURL = a })
			return err
		},
		"admin.avatar": func(a string) error {
			u.Operator("root", access.Super)
			by := u.Int("SELECT id FROM admin WHERE username = 'root'")
			_, err := u.Access.CreateOperator(ctx, actor.Operator(by), access.NewOperator{Username: "newcomer", Password: "secret-9", Avatar: a})
			return err
		},
		"goods.pic_url": func(a string) error { return u.goods("a", func(n *catalog.NewGoods) { n.Goods.PicURL = a }) },
		"goods.gallery": func(a string) error {
			return u.goods("b", func(n *catalog.NewGoods) { n.Goods.Gallery = []string{a} })
		},
		"goods_product.url": func(a string) error {
			return u.goods("c", func(n *catalog.NewGoods) { n.Products[0].URL = a })
		},
		"goods_specification.pic_url": func(a string) error {
			return u.goods("d", func(n *catalog.NewGoods) { n.Specifications[0].PicURL = a })
		},
		"goods_content.detail": func(a string) error {
			require.NoError(u.t, u.goods("e", func(*catalog.NewGoods) {}))
			return u.Catalog.Edit(ctx, actor.System, catalog.GoodsEdit{
				ID:     u.Int("SELECT id FROM goods WHERE name = 'e'"),
				Change: func(g *catalog.Goods) { g.Detail = `<img src="` + a + `">` },
			})
		},
	}
}

// copies are the address columns that nobody enters: copies of others, or generated.
var copies = []string{
	"cart.pic_url", "order_goods.pic_url", "groupon_rules.pic_url", "goods.share_url", "groupon.share_url", "storage.url",
}

// An upload that was used stays, wherever it is named.
func TestUsedUploadsStay(t *testing.T) {
	t.Parallel()
	u := newUploads(t)
	uses := u.uses()
	require.ElementsMatch(t, u.Texts("SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns "+
		"WHERE table_schema = DATABASE() AND data_type IN ('varchar', 'text') AND column_name REGEXP "+
		"'(^|_)(url|link|pic|picture|avatar|gallery|icon|image)s?$' OR table_schema = DATABASE() AND data_type = 'mediumtext' "+
		"AND table_name IN ('topic', 'notice', 'goods_content')"),
		append(slices.Collect(maps.Keys(uses)), copies...), "each column has a way to write it here")
	objects := map[string]storage.Object{}
	for _, column := range slices.Sorted(maps.Keys(uses)) {
		objects[column] = u.mine()
		require.NoError(t, uses[column](objects[column].URL), column)
		require.EqualValues(t, 1, u.Int("SELECT COUNT(*) FROM storage WHERE storage_key = ? AND unused_since IS NULL",
			objects[column].Key), "%s: it is known at once", column)
	}
	unused := u.mine()
	u.Clock.Move(month + time.Second)
	u.purge()
	require.False(t, u.there(unused))
	for column, o := range objects {
		require.True(t, u.there(o), column)
	}
}

// A process of the previous release does not record uses; shoppers' texts are read before anything is removed.
func TestUploadsUsedInSilenceStay(t *testing.T) {
	t.Parallel()
	u := newUploads(t)
	at, list := u.Clock.Now(), func(o storage.Object) string { return fmt.Sprintf("[%q]", o.URL) }
	avatar, comment, feedback, complaint, unused := u.mine(), u.mine(), u.mine(), u.mine(), u.mine()
	u.Exec("UPDATE user SET avatar = ? WHERE id = ?", avatar.URL, u.lin)
	u.Exec("INSERT INTO comment (value_id, user_id, has_picture, pic_urls, add_time, update_time) VALUES (1, ?, 1, ?, ?, ?)",
		u.lin, list(comment), at, at)
	u.Exec("INSERT INTO feedback (content, user_id, has_picture, pic_urls, add_time, update_time) VALUES ('', ?, 1, ?, ?, ?)",
		u.lin, list(feedback), at, at)
	u.Exec("INSERT INTO aftersale (order_id, user_id, pictures, add_time, update_time) VALUES (1, ?, ?, ?, ?)",
		u.lin, list(complaint), at, at)
	u.Clock.Move(month + time.Second)
	u.purge()
	require.False(t, u.there(unused))
	for _, o := range []storage.Object{avatar, comment, feedback, complaint} {
		require.True(t, u.there(o))
	}
	require.EqualValues(t, 4, u.Int("SELECT COUNT(*) FROM storage WHERE unused_since IS NULL"), "and is not asked again")
}

// Using an upload while it is being removed either keeps it or fails.
func TestUsingAndRemovingAtOnce(t *testing.T) {
	t.Parallel()
	u := newUploads(t)
	var objects []storage.Object
	for range 60 {
		objects = append(objects, u.mine())
	}
	u.Clock.Move(month + time.Second)
	used := make([]error, len(objects))
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			for i := part; i < len(objects); i += 4 {
				used[i] = u.submit(objects[i])
			}
		})
		wg.Go(func() {
			for range 5 {
				_, err := u.Storage.PurgeUnused(t.Context(), u.Clock.Now().Add(-month))
				require.NoError(t, err)
			}
		})
	}
	wg.Wait()
	u.purge()
	for i, err := range used {
		if err == nil {
			require.True(t, u.there(objects[i]), "it was taken")
			continue
		}
		require.ErrorIs(t, err, errno.Invalid)
		require.False(t, u.there(objects[i]), "it was refused because it is gone")
	}
}

// The number of statements of a batch does not grow with shoppers' texts; there is one effect per twenty files.
func TestStatementsOfRemovingUploads(t *testing.T) {
	t.Parallel()
	u := newUploads(t)
	for round, n := range []int{1, 20, 41} {
		for range n {
			u.mine()
			require.NoError(t, u.submit(u.mine()))
		}
		u.Clock.Move(month + time.Second)
		ctx, count := domaintest.Count(t.Context())
		removed, err := u.Storage.PurgeUnused(ctx, u.Clock.Now().Add(-month))
		require.NoError(t, err)
		require.Equal(t, n, removed)
		require.Equal(t, 2+4+1+(n+19)/20+1+min(round, 1), count(), "%d files", n)
	}
}
