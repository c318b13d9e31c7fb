package content

import (
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/crud"
	"shop.internal/services/admin/internal/menu"
)

type pageHandlers struct{ Deps }

// pageOps declares the operations on common questions, search words, banners and topics.
func pageOps(d Deps) []op.Op {
	h := pageHandlers{d}
	return slices.Concat(h.issues(), h.keywords(), h.ads(), h.topics())
}

// issues are the operations /admin/issue/list, /admin/issue/create, /admin/issue/read, /admin/issue/update and
// /admin/issue/delete.
func (h pageHandlers) issues() []op.Op {
	return crud.Resource{
		Path: "/admin/issue", Menu: menu.Issues(), One: "a common question", Many: "common questions",
		List:   crud.List(4, h.issue, h.listIssues),
		Create: crud.Create(4, h.issue, h.createIssue),
		Read:   crud.Read(2, h.issue, h.Content.Question),
		Update: crud.Update(5, h.issue, wire.Expecting(h.Zone, h.updateIssue)),
		Delete: crud.Delete(4, h.Content.DeleteQuestion),
		Columns: op.Columns{
			Names: []string{"question", "answer", "updateTime"}, Opens: "question",
		},
	}.Ops()
}

// keywords are the operations /admin/keyword/list, /admin/keyword/create, /admin/keyword/read, /admin/keyword/update
// and /admin/keyword/delete.
func (h pageHandlers) keywords() []op.Op {
	return crud.Resource{
		Path: "/admin/keyword", Menu: menu.Keywords(), One: "a proposed search word", Many: "proposed search words",
		List:   crud.List(4, h.keyword, h.listKeywords),
		Create: crud.Create(6, h.keyword, h.createKeyword),
		Read:   crud.Read(2, h.keyword, h.Content.Keyword),
		Update: crud.Update(6, h.keyword, wire.Expecting(h.Zone, h.updateKeyword)),
		Delete: crud.Delete(4, h.Content.DeleteKeyword),
		Columns: op.Columns{
			Names: []string{"keyword", "url", "isHot", "isDefault", "sortOrder", "addTime"},
			Opens: "keyword", Switches: []string{"isHot"},
		},
	}.Ops()
}

// ads are the operations /admin/ad/list, /admin/ad/create, /admin/ad/read, /admin/ad/update and /admin/ad/delete.
func (h pageHandlers) ads() []op.Op {
	return crud.Resource{
		Path: "/admin/ad", Menu: menu.Ads(), One: "a banner", Many: "banners",
		List:   crud.Answer(4, h.listAds),
		Create: crud.Create(4, h.ad, h.createAd),
		Read:   crud.Read(2, h.ad, h.Content.Banner),
		Update: crud.Update(5, h.ad, wire.Expecting(h.Zone, h.updateAd)),
		Delete: crud.Delete(4, h.Content.DeleteBanner),
		Columns: op.Columns{
			Names: []string{"url", "name", "content", "position", "enabled", "startTime", "endTime"},
			Opens: "name", Switches: []string{"enabled"},
		},
	}.Ops()
}

// topics are the operations /admin/topic/list, /admin/topic/create, /admin/topic/read, /admin/topic/update,
// /admin/topic/delete and /admin/topic/batch-delete.
func (h pageHandlers) topics() []op.Op {
	return append(crud.Resource{
		Path: "/admin/topic", Menu: menu.Topics(), One: "a topic", Many: "topics",
		List:   crud.List(4, h.topic, h.listTopics),
		Create: crud.Create(6, asWritten, h.createTopic),
		Read:   crud.Answer(3, h.readTopic).Titled("Show a topic with its goods"),
		Update: crud.Update(6, asWritten, wire.Expecting(h.Zone, h.updateTopic)).Fails(errno.Stale),
		Delete: crud.Delete(4, h.deleteTopic),
		Columns: op.Columns{
			Names: []string{"picUrl", "title", "subtitle", "price", "readCount", "sortOrder", "updateTime"}, Opens: "title",
		},
	}.Ops(), op.Write[wire.Refs, op.None]{
		Path: "/admin/topic/batch-delete", Title: "Delete several topics",
		Access:           op.Permit("admin:topic:batch-delete", menu.Topics(), menu.DeleteMany()),
		IdempotencyScope: "admin.topic-batch-delete", Audit: op.Audit{Target: "topic"},
		Budget: op.PerItem, Do: h.deleteTopics,
	})
}
