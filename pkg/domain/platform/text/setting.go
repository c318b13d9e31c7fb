package text

// What staff calls the settings.
var (
	SettingIndexNew         = entry("setting.index-new")
	SettingIndexHot         = entry("setting.index-hot")
	SettingIndexBrand       = entry("setting.index-brand")
	SettingIndexTopic       = entry("setting.index-topic")
	SettingFloorCount       = entry("setting.floor-count")
	SettingFloorGoods       = entry("setting.floor-goods")
	SettingShare            = entry("setting.share")
	SettingFreightValue     = entry("setting.freight-value")
	SettingFreightMin       = entry("setting.freight-min")
	SettingOrderUnpaid      = entry("setting.order-unpaid")
	SettingOrderUnconfirmed = entry("setting.order-unconfirmed")
	SettingOrderComment     = entry("setting.order-comment")
	SettingMallName         = entry("setting.mall-name")
	SettingMallAddress      = entry("setting.mall-address")
	SettingMallPhone        = entry("setting.mall-phone")
	SettingMallQQ           = entry("setting.mall-qq")
	SettingMallLongitude    = entry("setting.mall-longitude")
	SettingMallLatitude     = entry("setting.mall-latitude")
)
