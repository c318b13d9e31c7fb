package home

import (
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/catalog"
	"shop.internal/services/storefront/internal/content"
	"shop.internal/services/storefront/internal/promotion"
)

// Index is the home page. What depends on the caller comes last.
type Index struct {
	Banner         []content.Banner       `json:"banner"`
	Channel        []Channel              `json:"channel"`
	NewGoodsList   []catalog.Summary      `json:"newGoodsList"`
	HotGoodsList   []catalog.Summary      `json:"hotGoodsList"`
	BrandList      []catalog.BrandSummary `json:"brandList"`
	TopicList      []content.TopicSummary `json:"topicList"`
	GrouponList    []promotion.Offer      `json:"grouponList"`
	FloorGoodsList []Floor                `json:"floorGoodsList"`
	CouponList     []promotion.Coupon     `json:"couponList"`
}

// About is the shop's own data, with what delivery of goods without a freight template costs.
type About struct {
	Name      string `json:"name"`
	Address   string `json:"address"`
	Phone     string `json:"phone"`
	QQ        string `json:"qq"`
	Longitude string `json:"longitude"`
	Latitude  string `json:"latitude"`

	FreightPrice wire.Money `json:"freightPrice" doc:"For goods without a template that cost less than freightFrom."`
	FreightFrom  wire.Money `json:"freightFrom" doc:"From this on they are delivered free; 0 always."`
}

// Channel is a link to a first-level category.
type Channel struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	IconURL wire.Link `json:"iconUrl"`
}

// Floor is a first-level category with its newest goods.
type Floor struct {
	ID        int64             `json:"id"`
	Name      string            `json:"name"`
	GoodsList []catalog.Summary `json:"goodsList"`
}
