package catalog

import (
	"context"
	"fmt"
	"math"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
	domaincontent "shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	domainreview "shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/pagecache"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/review"
)

// ListRequest is the query of /wx/goods/list.
type ListRequest struct {
	CategoryID int64  `json:"categoryId" doc:"Only goods of this category; 0 is no filter."`
	BrandID    int64  `json:"brandId" doc:"Only goods of this brand; 0 is no filter."`
	Keyword    string `json:"keyword" doc:"Words that the name or the keywords contain, in any order and case."`
	IsNew      *bool  `json:"isNew" doc:"Only goods that are new, or that are not."`
	IsHot      *bool  `json:"isHot" doc:"Only goods that are recommended, or that are not."`
	PriceRange
	wire.Paging
}

// PriceRange is the part of a query that selects goods by their retail price; the bounds belong to the range.
type PriceRange struct {
	MinPrice *money.Amount `json:"minPrice" check:"range=price" doc:"Only goods that cost this much or more."`
	MaxPrice *money.Amount `json:"maxPrice" check:"range=price" doc:"Only goods that cost this much or less."`
}

// byRelevance is the sort word of a search by relevance, in one order only.
const byRelevance = "relevance"

// Listing lists the other sort words of goods.
func (ListRequest) Listing() wire.Listing {
	return wire.Listing{Sort: []string{"retail_price", "name", byRelevance}}
}

// Goods is the answer of /wx/goods/list.
type Goods struct {
	wire.List[Summary]
	FilterCategoryList []Category `json:"filterCategoryList"`
	*Relevance
}

// Relevance is what sort=relevance adds to the answer.
type Relevance struct {
	Approximate bool   `json:"approximate" doc:"Whether no goods have all words, and others are shown instead."`
	Corrected   string `json:"corrected" doc:"The words that the goods shown instead have, else empty."`
}

func (h handlers) find(ctx context.Context, r ListRequest) (Goods, error) {
	q, err := paging.OfList(r.Paging, r.Listing())
	if err != nil {
		return Goods{}, err
	}
	f := catalog.Filter{
		CategoryID: r.CategoryID, BrandID: r.BrandID, Except: 0, Keyword: r.Keyword, New: r.IsNew, Hot: r.IsHot,
		MinPrice: r.MinPrice, MaxPrice: r.MaxPrice,
	}
	var found catalog.Relevant
	var relevance *Relevance
	if q.Sort == byRelevance {
		if found, err = h.Catalog.Search(ctx, f, q); err == nil {
			relevance = &Relevance{found.Approximate, found.Corrected}
		}
	} else {
		found.List, found.Categories, err = h.Catalog.Find(ctx, f, q)
	}
	if err != nil {
		return Goods{}, err
	}
	return Goods{
		List: wire.ListOf(found.List, SummaryView), FilterCategoryList: wire.Each(found.Categories, h.category),
		Relevance: relevance,
	}, nil
}

// list answers from the cache; what a shopper searches for is recorded for each call.
func (h handlers) list() func(context.Context, ListRequest) (wire.Raw[Goods], error) {
	find := pagecache.Same(h.Answers, h.find)
	return func(ctx context.Context, r ListRequest) (wire.Raw[Goods], error) {
		found, err := find(ctx, r)
		if err == nil {
			h.remember(ctx, r)
		}
		return found, err
	}
}

// remember records the search of a shopper who asks for its first page. The goods were found, so a failure does not
// fail the call.
func (h handlers) remember(ctx context.Context, r ListRequest) {
	if shopper := auth.ID(ctx); shopper != 0 && (r.Page == nil || *r.Page <= 1) {
		_ = h.Engagement.Remember(ctx, shopper, r.Keyword)
	}
}

// SuggestRequest is the query of /wx/search/goods.
type SuggestRequest struct {
	Keyword string `json:"keyword" check:"required" doc:"What has been typed so far."`
}

// suggested is the number of goods that are suggested.
const suggested = 5

// suggest finds the goods that fit best to what is being typed, which is not recorded: it is no search yet.
func (h handlers) suggest(ctx context.Context, r SuggestRequest) ([]Summary, error) {
	first := page.Query{Page: 1, Limit: suggested, Sort: byRelevance, Desc: true, Beyond: page.Empty, All: false}
	found, err := h.Catalog.Search(ctx, catalog.Filter{Keyword: r.Keyword}, first)
	return wire.Each(found.Items, SummaryView), err
}

// detail answers from the page cache; a shopper's favourite is read for each call and appended.
func (h handlers) detail(ctx context.Context, r wire.Ref) (wire.Raw[Detail], error) {
	p, err := h.Pages.Get(ctx, r.ID)
	if err != nil {
		return wire.Raw[Detail]{}, err
	}
	shopper := auth.ID(ctx)
	if shopper == 0 {
		return wire.RawBody[Detail](p.Body()), nil
	}
	// A failure to record the footprint does not fail the call.
	_ = h.Engagement.SeeGoods(ctx, shopper, r.ID)
	collected, err := h.Engagement.HasCollected(ctx, shopper, engagement.Goods, r.ID)
	if err != nil || !collected {
		return wire.RawJSON[Detail](p.Bytes()), err
	}
	with, err := p.With(1)
	return wire.RawJSON[Detail](with), err
}

const (
	detailQuestions = 4
	detailComments  = 2
	// commonTimeout bounds the time of reading what all pages show.
	commonTimeout = 10 * time.Second
)

// common is what the pages of all goods show.
type common struct {
	questions []domaincontent.Question
	share     bool
}

// commonAge is how old it may be, so that a page that nobody has asked for does not read it again.
const commonAge = 200 * time.Millisecond

func (h handlers) newCommon(now func() time.Time) *cache.One[common] {
	return cache.NewOne(cache.Options[common]{
		TTL: cache.For[common](commonAge), MaxSize: 1, Deadline: commonTimeout, Now: now,
	}, func(ctx context.Context) (common, error) {
		questions, err := h.Content.Questions(ctx, detailQuestions)
		if err != nil {
			return common{}, err
		}
		values, err := h.Settings.Fresh(ctx)
		return common{questions, values.Share}, err
	})
}

// load renders the page of goods for guests. All of it is read in one round trip, but for the authors of comments.
func (h handlers) load(ctx context.Context, id int64, shown *cache.One[common]) (pagecache.Page, error) {
	same, err := shown.Get(ctx)
	if err != nil {
		return pagecache.Page{}, err
	}
	q := h.Catalog.Reads()
	detail, err := h.Catalog.DetailLater(ctx, q, id)
	if err != nil {
		return pagecache.Page{}, err
	}
	latest, err := h.Review.FirstLater(ctx, q, domainreview.Subject{Kind: domainreview.Goods, ID: id, WithPictures: false},
		page.Query{Page: 1, Limit: detailComments, Sort: "add_time", Desc: true, Beyond: page.Empty, All: false})
	if err != nil {
		return pagecache.Page{}, err
	}
	stars, err := h.Review.StarsLater(ctx, q, domainreview.Goods, id)
	if err != nil {
		return pagecache.Page{}, err
	}
	rules, err := h.Promotion.LiveGroupRulesLater(ctx, q, id)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return pagecache.Page{}, fmt.Errorf("read the page of goods %d: %w", id, err)
	}
	d, err := detail()
	if err != nil {
		return pagecache.Page{}, err
	}
	comments, err := latest(ctx)
	if err != nil {
		return pagecache.Page{}, err
	}
	view := Detail{
		Info: h.info(d.Goods), SpecificationList: h.groups(d.Specifications), ProductList: wire.Each(d.Products, h.product),
		Attribute: wire.Each(d.Attributes, h.attribute), Issue: wire.Each(same.questions, h.question),
		Comment: DetailComments{
			Data: wire.Each(comments.Items, h.comment), Count: comments.Total, Star: math.Round(stars()*10) / 10,
		},
		Groupon: wire.Each(rules(), h.rule), Brand: BrandOrNone{nil}, ShareImage: wire.Link(d.Goods.ShareURL),
		Share:          same.share,
		UserHasCollect: 0,
	}
	if d.Brand != nil {
		brand := h.brandView(*d.Brand)
		view.Brand.Brand = &brand
	}
	return pagecache.Encode(view, view.UserHasCollect)
}

func (h handlers) question(q domaincontent.Question) content.Question {
	return content.QuestionView(h.Zone, q)
}

func (h handlers) comment(c domainreview.Comment) DetailComment {
	e := review.EntryView(h.Zone, c)
	return DetailComment{Entry: e, Nickname: e.UserInfo.NickName, Avatar: e.UserInfo.AvatarURL}
}

// relatedLimit is the number of related goods on a page.
const relatedLimit = 6

// RelatedRequest is the query of /wx/goods/related.
type RelatedRequest struct {
	wire.Ref
	wire.Paging
}

// Listing sets the default number of goods.
func (RelatedRequest) Listing() wire.Listing { return wire.Listing{Default: relatedLimit} }

func (h handlers) related(ctx context.Context, r RelatedRequest) (wire.List[Summary], error) {
	q, err := paging.OfList(r.Paging, r.Listing())
	if err != nil {
		return wire.List[Summary]{}, err
	}
	l, err := h.Catalog.Related(ctx, r.ID, q)
	return wire.ListOf(l, SummaryView), err
}
