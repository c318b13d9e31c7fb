package catalog

import (
	"time"

	"shop.internal/pkg/domain/money"
)

// Goods is what a page of the shop shows. What is sold, and at what price, is a Product of it.
type Goods struct {
	ID                        int64
	SN, Name                  string
	CategoryID, BrandID       int64
	Gallery                   []string
	Keywords, Brief           string
	OnSale                    bool
	SortOrder                 int
	PicURL, ShareURL          string
	New, Hot                  bool
	Unit                      string
	CounterPrice, RetailPrice money.Amount
	Detail                    string
	AddTime, UpdateTime       time.Time
	Version                   int
}

// Summary is a goods as lists show it.
type Summary struct {
	ID                        int64
	Name, Brief, PicURL       string
	New, Hot                  bool
	CounterPrice, RetailPrice money.Amount
}

// Product is one sellable combination of specification values, in the order of the groups.
type Product struct {
	ID, GoodsID         int64
	Specifications      []string
	Price               money.Amount
	Number              int
	URL                 string
	AddTime, UpdateTime time.Time
	Version             int
}

// Specification is one value of a specification group; Group is the name of the group.
type Specification struct {
	ID, GoodsID          int64
	Group, Value, PicURL string
	AddTime, UpdateTime  time.Time
}

// Attribute is a descriptive parameter of goods that nobody chooses by.
type Attribute struct {
	ID, GoodsID         int64
	Name, Value         string
	AddTime, UpdateTime time.Time
}

// Detail is everything the catalogue knows of one goods.
type Detail struct {
	Goods          Goods
	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
	// Brand is nil where the goods has none, or one that was deleted.
	Brand *Brand
}

// Category is a node of the tree of two levels. Goods belong to the second.
type Category struct {
	ID, Pid                               int64
	Name, Keywords, Desc, IconURL, PicURL string
	Level                                 string
	SortOrder                             int
	AddTime, UpdateTime                   time.Time
	Version                               int
}

// The levels of the category tree.
const (
	FirstLevel  = "L1"
	SecondLevel = "L2"
)

// Brand is a maker, with the lowest price of its goods for display.
type Brand struct {
	ID                  int64
	Name, Desc, PicURL  string
	SortOrder           int
	FloorPrice          money.Amount
	AddTime, UpdateTime time.Time
	Version             int
}

// Floor is a first-level category on the home page with the newest goods below it.
type Floor struct {
	ID    int64
	Name  string
	Goods []Summary
}

// Filter chooses goods. The zero Filter chooses all.
type Filter struct {
	// CategoryID, BrandID and Except are ids; 0 is no filter. Except leaves one goods out.
	CategoryID, BrandID, Except int64
	// Keyword is literal text that the name or the keywords contain, in any case; empty is no filter.
	Keyword string
	// New and Hot filter when set, also by false.
	New, Hot *bool
}

// ListFilter chooses goods for operators, on sale or not.
type ListFilter struct {
	ID       int64
	SN, Name string
}
