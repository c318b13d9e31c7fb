package content

import (
	"context"

	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// ListAds is the query of /admin/ad/list.
type ListAds struct {
	wire.Paging
	Name    string `json:"name" doc:"Words of the name, in any order, taken literally."`
	Content string `json:"content" doc:"Words of the content, in any order, taken literally." show:"long"`
}

// AdList is a page of banners under two names: items is the contract's, list is what the console reads.
type AdList struct {
	wire.List[Ad]
	Items []Ad `json:"items"`
}

// Ad is a banner.
type Ad struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Content   string    `json:"content" show:"long"`
	URL       wire.Link `json:"url" label:"picUrl" show:"picture"`
	Link      wire.Link `json:"link"`
	Position  int       `json:"position" show:"one=ad-position"`
	Enabled   bool      `json:"enabled"`
	StartTime wire.Time `json:"startTime"`
	EndTime   wire.Time `json:"endTime"`
	wire.Stamps
}

// NewAd is the request of /admin/ad/create.
type NewAd struct {
	Name      string `json:"name" check:"required,maxLength=63,visible"`
	Content   string `json:"content" check:"required,maxLength=255" show:"long"`
	URL       string `json:"url" label:"picUrl" check:"required,maxLength=255,link" show:"picture"`
	Link      string `json:"link" check:"maxLength=255,link"`
	Position  int    `json:"position" check:"default=1,min=1,max=127" show:"one=ad-position"`
	Enabled   bool   `json:"enabled"`
	StartTime string `json:"startTime" doc:"When it is first shown." show:"time"`
	EndTime   string `json:"endTime" doc:"When it is last shown." show:"time"`
}

// AdChange is the request of /admin/ad/update; absent members stay unchanged.
type AdChange struct {
	wire.Ref
	wire.Expected
	Name     *string `json:"name" check:"notBlank,maxLength=63,visible"`
	Content  *string `json:"content" check:"notBlank,maxLength=255" show:"long"`
	URL      *string `json:"url" label:"picUrl" check:"notBlank,maxLength=255,link" show:"picture"`
	Link     *string `json:"link" check:"maxLength=255,link"`
	Position *int    `json:"position" check:"min=1,max=127" show:"one=ad-position"`
	Enabled  *bool   `json:"enabled"`
	AdTimes
}

// AdTimes are the times of a changed banner; an empty one stays unchanged.
type AdTimes struct {
	StartTime string `json:"startTime" show:"time"`
	EndTime   string `json:"endTime" show:"time"`
}

func (h pageHandlers) ad(b content.Banner) Ad {
	return Ad{
		ID: b.ID, Name: b.Name, Content: b.Content, URL: wire.Link(b.URL), Link: wire.Link(b.Link), Position: b.Position,
		Enabled:   b.Enabled,
		StartTime: h.Zone.At(b.StartTime), EndTime: h.Zone.At(b.EndTime), Stamps: h.Zone.Stamps(b.AddTime, b.UpdateTime),
	}
}

func (h pageHandlers) listAds(ctx context.Context, r ListAds) (AdList, error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return AdList{}, err
	}
	found, err := h.Content.ListBanners(ctx, r.Name, r.Content, q)
	if err != nil {
		return AdList{}, err
	}
	l := paging.List(found, h.ad)
	return AdList{List: l, Items: l.List}, nil
}

func (h pageHandlers) createAd(ctx context.Context, r NewAd) (content.Banner, error) {
	b := content.Banner{
		Name: r.Name, Content: r.Content, URL: r.URL, Link: r.Link, Position: r.Position, Enabled: r.Enabled,
	}
	if err := h.times(&b, r.StartTime, r.EndTime); err != nil {
		return content.Banner{}, err
	}
	return h.Content.CreateBanner(ctx, b)
}

// times sets the given times of a banner.
func (h pageHandlers) times(b *content.Banner, start, end string) error {
	from, err := h.Zone.Moment(text.FieldStartTime, start)
	if err != nil {
		return err
	}
	until, err := h.Zone.Moment(text.FieldEndTime, end)
	if err != nil {
		return err
	}
	if !from.IsZero() {
		b.StartTime = from
	}
	if !until.IsZero() {
		b.EndTime = until
	}
	return nil
}

func (h pageHandlers) updateAd(ctx context.Context, r AdChange) (content.Banner, error) {
	var given content.Banner
	if err := h.times(&given, r.StartTime, r.EndTime); err != nil {
		return content.Banner{}, err
	}
	return h.Content.ChangeBanner(ctx, r.ID, func(b *content.Banner) {
		patch.Apply(b, r)
		if !given.StartTime.IsZero() {
			b.StartTime = given.StartTime
		}
		if !given.EndTime.IsZero() {
			b.EndTime = given.EndTime
		}
	})
}
