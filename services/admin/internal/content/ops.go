// Package content serves operators the banners, topics, common questions and search keywords.
package content

import (
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

type handlers struct {
	content *content.Service
	catalog *catalog.Service
	zone    wire.Zone
}

// The tables whose changes are recorded.
const (
	ads      = "ad"
	topics   = "topic"
	issues   = "issue"
	keywords = "keyword"
)

// Issues declares the operations on common questions.
func Issues(c *content.Service, zone wire.Zone) []op.Op {
	h := handlers{content: c, zone: zone}
	return []op.Op{
		op.Read[ListIssues, wire.List[Issue]]{
			Path: "/admin/issue/list", Title: "List common questions",
			Access: op.Permit("admin:issue:list", menu.Issues(), menu.Query()), Budget: 4, Do: h.listIssues,
		},
		op.Write[NewIssue, Issue]{
			Path: "/admin/issue/create", Title: "Add a common question",
			Access:           op.Permit("admin:issue:create", menu.Issues(), menu.Add()),
			IdempotencyScope: "admin.issue-create", Audit: op.Audit{Target: issues}, Budget: 6, Do: h.createIssue,
		},
		op.Read[wire.Ref, Issue]{
			Path: "/admin/issue/read", Title: "Show a common question",
			Access: op.Permit("admin:issue:read", menu.Issues(), menu.Detail()), Budget: 2, Do: h.readIssue,
		},
		op.Write[IssueChange, Issue]{
			Path: "/admin/issue/update", Title: "Change a common question",
			Access: op.Permit("admin:issue:update", menu.Issues(), menu.Edit()), Fails: []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.issue-update", Audit: op.Audit{Target: issues}, Budget: 5, Do: h.changeIssue,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/issue/delete", Title: "Delete a common question",
			Access:           op.Permit("admin:issue:delete", menu.Issues(), menu.Delete()),
			IdempotencyScope: "admin.issue-delete", Audit: op.Audit{Target: issues}, Budget: 4, Do: h.deleteIssue,
		},
	}
}

// Keywords declares the operations on search keywords.
func Keywords(c *content.Service, zone wire.Zone) []op.Op {
	h := handlers{content: c, zone: zone}
	return []op.Op{
		op.Read[ListKeywords, wire.List[Keyword]]{
			Path: "/admin/keyword/list", Title: "List proposed search words",
			Access: op.Permit("admin:keyword:list", menu.Keywords(), menu.Query()), Budget: 4, Do: h.listKeywords,
		},
		op.Write[NewKeyword, Keyword]{
			Path: "/admin/keyword/create", Title: "Add a proposed search word",
			Access:           op.Permit("admin:keyword:create", menu.Keywords(), menu.Add()),
			IdempotencyScope: "admin.keyword-create", Audit: op.Audit{Target: keywords}, Budget: 6, Do: h.createKeyword,
		},
		op.Read[wire.Ref, Keyword]{
			Path: "/admin/keyword/read", Title: "Show a proposed search word",
			Access: op.Permit("admin:keyword:read", menu.Keywords(), menu.Detail()), Budget: 2, Do: h.readKeyword,
		},
		op.Write[KeywordChange, Keyword]{
			Path: "/admin/keyword/update", Title: "Change a proposed search word",
			Access: op.Permit("admin:keyword:update", menu.Keywords(), menu.Edit()), Fails: []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.keyword-update", Audit: op.Audit{Target: keywords}, Budget: 6, Do: h.changeKeyword,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/keyword/delete", Title: "Delete a proposed search word",
			Access:           op.Permit("admin:keyword:delete", menu.Keywords(), menu.Delete()),
			IdempotencyScope: "admin.keyword-delete", Audit: op.Audit{Target: keywords}, Budget: 4, Do: h.deleteKeyword,
		},
	}
}

// Ads declares the operations on banners.
func Ads(c *content.Service, zone wire.Zone) []op.Op {
	h := handlers{content: c, zone: zone}
	return []op.Op{
		op.Read[ListAds, AdList]{
			Path: "/admin/ad/list", Title: "List banners",
			Access: op.Permit("admin:ad:list", menu.Ads(), menu.Query()), Budget: 4, Do: h.listAds,
		},
		op.Write[NewAd, Ad]{
			Path: "/admin/ad/create", Title: "Add a banner",
			Access:           op.Permit("admin:ad:create", menu.Ads(), menu.Add()),
			IdempotencyScope: "admin.ad-create", Audit: op.Audit{Target: ads}, Budget: 6, Do: h.createAd,
		},
		op.Read[wire.Ref, Ad]{
			Path: "/admin/ad/read", Title: "Show a banner",
			Access: op.Permit("admin:ad:read", menu.Ads(), menu.Detail()), Budget: 2, Do: h.readAd,
		},
		op.Write[AdChange, Ad]{
			Path: "/admin/ad/update", Title: "Change a banner",
			Access: op.Permit("admin:ad:update", menu.Ads(), menu.Edit()), Fails: []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.ad-update", Audit: op.Audit{Target: ads}, Budget: 5, Do: h.changeAd,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/ad/delete", Title: "Delete a banner",
			Access:           op.Permit("admin:ad:delete", menu.Ads(), menu.Delete()),
			IdempotencyScope: "admin.ad-delete", Audit: op.Audit{Target: ads}, Budget: 4, Do: h.deleteAd,
		},
	}
}

// Topics declares the operations on topics.
func Topics(c *content.Service, goods *catalog.Service, zone wire.Zone) []op.Op {
	h := handlers{c, goods, zone}
	return []op.Op{
		op.Read[ListTopics, wire.List[Topic]]{
			Path: "/admin/topic/list", Title: "List topics",
			Access: op.Permit("admin:topic:list", menu.Topics(), menu.Query()), Budget: 4, Do: h.listTopics,
		},
		op.Write[NewTopic, Topic]{
			Path: "/admin/topic/create", Title: "Add a topic",
			Access:           op.Permit("admin:topic:create", menu.Topics(), menu.Add()),
			IdempotencyScope: "admin.topic-create", Audit: op.Audit{Target: topics}, Budget: 7, Do: h.createTopic,
		},
		op.Read[wire.Ref, TopicDetail]{
			Path: "/admin/topic/read", Title: "Show a topic with its goods",
			Access: op.Permit("admin:topic:read", menu.Topics(), menu.Detail()), Budget: 3, Do: h.readTopic,
		},
		op.Write[TopicChange, Topic]{
			Path: "/admin/topic/update", Title: "Change a topic",
			Access:           op.Permit("admin:topic:update", menu.Topics(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.Stale},
			IdempotencyScope: "admin.topic-update", Audit: op.Audit{Target: topics}, Budget: 6, Do: h.changeTopic,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/topic/delete", Title: "Delete a topic",
			Access:           op.Permit("admin:topic:delete", menu.Topics(), menu.Delete()),
			IdempotencyScope: "admin.topic-delete", Audit: op.Audit{Target: topics}, Budget: 4, Do: h.deleteTopic,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/topic/batch-delete", Title: "Delete several topics",
			Access:           op.Permit("admin:topic:batch-delete", menu.Topics(), menu.DeleteMany()),
			IdempotencyScope: "admin.topic-batch-delete", Audit: op.Audit{Target: topics},
			Budget: op.PerItem, Do: h.deleteTopics,
		},
	}
}
