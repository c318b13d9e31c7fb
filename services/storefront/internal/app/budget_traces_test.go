package app_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
)

// traced creates n traces of every kind.
func (m *filledShop) traced() {
	m.t.Helper()
	d, ctx, now := m.Domain, m.t.Context(), m.Domain.Clock.Now()
	var goods []int64
	for i, w := range m.wares {
		d.Exec("INSERT INTO keyword (keyword, is_hot, is_default, add_time, update_time) VALUES (?, 1, 1, ?, ?)", fmt.Sprint("word", i),
			now, now)
		for kind, id := range map[engagement.Kind]int64{engagement.Goods: w.GoodsID, engagement.Topic: int64(i + 1)} {
			_, err := d.Engagement.Toggle(ctx, m.lin, kind, id)
			require.NoError(m.t, err)
		}
		require.NoError(m.t, d.Engagement.SeeGoods(ctx, m.lin, w.GoodsID))
		require.NoError(m.t, d.Engagement.Remember(ctx, m.lin, fmt.Sprint("word", i)))
		goods = append(goods, w.GoodsID)
	}
	_, err := d.Content.CreateTopic(ctx, content.Topic{Goods: goods})
	require.NoError(m.t, err)
}

// traces calls the operations on shoppers' traces and on editors' content.
func (m *filledShop) traces(get call, post post) {
	m.t.Helper()
	m.traced()
	m.growTraces()
	for _, path := range []string{
		"/wx/home/about", "/wx/index/index", "/wx/catalog/getfirstcategory", "/wx/catalog/getsecondcategory?id=1",
		"/wx/topic/list?limit=1000", "/wx/topic/related?id=1&limit=1000", "/wx/issue/list?limit=1000&question=why", "/wx/user/index",
		"/wx/collect/list?type=0&limit=1000", "/wx/collect/list?type=1&limit=1000", "/wx/footprint/list?limit=1000",
		"/wx/search/index", "/wx/search/helper?keyword=word&limit=1000", "/wx/search/result?keyword=ware&limit=1000",
		"/wx/search/goods?keyword=ware",
	} {
		get(path)
	}
	get("/wx/topic/detail?id=%d", m.Domain.Int("SELECT MAX(id) FROM topic"))
	for range 2 {
		post("/wx/collect/addordelete", `{"type":0,"valueId":1}`)
		post("/wx/collect/addordelete", `{"type":1,"valueId":1}`)
	}
	post("/wx/footprint/delete", `{"id":%d}`, m.Domain.Int("SELECT MIN(id) FROM footprint WHERE deleted = 0"))
	post("/wx/search/clearhistory", ``)
	post("/wx/comment/post", `{"type":0,"valueId":2,"content":"good","star":5,"hasPicture":true,"picUrls":["http://x/1.png"]}`)
	post("/wx/comment/post", `{"type":1,"valueId":1,"content":"good","star":5}`)
	post("/wx/feedback/submit", `{"feedType":"bug","content":"x","mobile":"13900000001"}`)
}
