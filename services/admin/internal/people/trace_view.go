package people

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/wire"
)

// Address is a delivery address. Province, city and county are names.
type Address struct {
	contract.Address
	Username   string  `json:"username"`
	PostalCode *string `json:"postalCode"`
	Tel        string  `json:"tel"`
	IsDefault  bool    `json:"isDefault"`
	wire.Stamps
}

func (h traceHandlers) address(a address.Address) Address {
	v := Address{
		Address: contract.AddressOf(a), Username: "", PostalCode: nil, Tel: a.Tel, IsDefault: a.Default,
		Stamps: h.Zone.Stamps(a.Added, a.Changed),
	}
	if a.PostalCode != "" {
		v.PostalCode = &a.PostalCode
	}
	return v
}

// Collection is a favourite.
type Collection struct {
	ID        int64  `json:"id"`
	UserID    int64  `json:"userId" show:"of=user"`
	Username  string `json:"username"`
	ValueID   int64  `json:"valueId"`
	GoodsName string `json:"goodsName" doc:"Empty for a topic."`
	Type      int    `json:"type" show:"one=commented"`
	wire.Stamps
}

func (h traceHandlers) collection(c engagement.Collected) Collection {
	return Collection{
		ID: c.ID, UserID: c.UserID, ValueID: c.ValueID, Username: "", GoodsName: "", Type: int(c.Type),
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}

// Footprint is a view of goods; addTime is the first one.
type Footprint struct {
	ID        int64  `json:"id"`
	UserID    int64  `json:"userId" show:"of=user"`
	Username  string `json:"username"`
	GoodsID   int64  `json:"goodsId" show:"of=goods"`
	GoodsName string `json:"goodsName"`
	wire.Stamps
}

func (h traceHandlers) footprint(s engagement.Seen) Footprint {
	return Footprint{
		ID: s.ID, UserID: s.UserID, Username: "", GoodsID: s.GoodsID, GoodsName: "",
		Stamps: h.Zone.Stamps(s.AddTime, s.UpdateTime),
	}
}

// Search is a search keyword; addTime is the first search.
type Search struct {
	ID       int64  `json:"id"`
	UserID   int64  `json:"userId" show:"of=user"`
	Username string `json:"username"`
	Keyword  string `json:"keyword"`
	From     string `json:"from" doc:"Where it was searched, such as wx."`
	wire.Stamps
}

func (h traceHandlers) search(s engagement.Searched) Search {
	return Search{
		ID: s.ID, UserID: s.UserID, Username: "", Keyword: s.Keyword, From: s.Source,
		Stamps: h.Zone.Stamps(s.AddTime, s.UpdateTime),
	}
}

// Feedback is a shopper's message to the shop.
type Feedback struct {
	ID         int64      `json:"id"`
	UserID     int64      `json:"userId" show:"of=user"`
	Username   string     `json:"username"`
	Mobile     string     `json:"mobile"`
	FeedType   string     `json:"feedType"`
	Content    string     `json:"content" show:"long"`
	Status     int        `json:"status"`
	HasPicture bool       `json:"hasPicture"`
	PicURLs    wire.Links `json:"picUrls" show:"picture"`
	wire.Stamps
}

func (h traceHandlers) feedback(l engagement.StoredFeedback) Feedback {
	return Feedback{
		ID: l.ID, UserID: l.Shopper, Username: l.Username, Mobile: l.Mobile, FeedType: l.FeedType, Content: l.Content,
		Status: l.Status, HasPicture: l.WithPictures, PicURLs: wire.Links(l.Pictures),
		Stamps: h.Zone.Stamps(l.AddTime, l.UpdateTime),
	}
}

// The names that stand beside the ids of rows.

func (a *Address) shopper() (id int64, name *string)    { return a.UserID, &a.Username }
func (c *Collection) shopper() (id int64, name *string) { return c.UserID, &c.Username }
func (f *Footprint) shopper() (id int64, name *string)  { return f.UserID, &f.Username }
func (s *Search) shopper() (id int64, name *string)     { return s.UserID, &s.Username }

func (f *Footprint) goods() (id int64, name *string) { return f.GoodsID, &f.GoodsName }

func (c *Collection) goods() (id int64, name *string) {
	if c.Type != int(engagement.Goods) {
		return 0, nil
	}
	return c.ValueID, &c.GoodsName
}
