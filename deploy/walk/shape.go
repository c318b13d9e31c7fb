package main

// The records of the contract as an outsider sees them, in the words of value.shape. Further members are allowed.
const (
	stamps       = ", addTime time, updateTime time, deleted bool"
	goodsSummary = "id int, name text, brief text, picUrl text, isNew bool, isHot bool, counterPrice money, " +
		"retailPrice money"
	goodsInfo = goodsSummary + ", goodsSn text, categoryId int, brandId int, gallery texts, keywords text, " +
		"isOnSale bool, sortOrder int, shareUrl text, unit text, detail text" + stamps
	productShape  = "id int, goodsId int, specifications texts, price money, number int, url text" + stamps
	specShape     = "id int, goodsId int, specification text, value text, picUrl text" + stamps
	attribute     = "id int, goodsId int, attribute text, value text" + stamps
	issueShape    = "id int, question text, answer text" + stamps
	categoryShape = "id int, name text, keywords text, desc text, pid int, iconUrl text, picUrl text, " +
		"level text, sortOrder int" +
		stamps
	channelShape = "id int, name text, iconUrl text"
	brandShape   = "id int, name text, desc text, picUrl text, floorPrice money"
	brandFull    = brandShape + ", sortOrder int" + stamps
	grouponGoods = "id int, rulesId int, name text, brief text, picUrl text, counterPrice money, retailPrice money, " +
		"grouponPrice money, grouponDiscount int, grouponMember int, expireTime time"
	grouponRule = "id int, goodsId int, goodsName text, picUrl text, discount int, discountMember int, " +
		"expireTime time, " +
		"status int" + stamps
	couponShape = "id int, name text, desc text, tag text, discount money, min money, days int, startTime time?, " +
		"endTime time?"
	userCoupon = "id int, cid int, couponId int, name text, desc text, tag text, min moneytext, discount moneytext, " +
		"startTime time, endTime time, status int, available bool"
	bannerShape = "id int, name text, link text, url text, position int, content text, enabled bool, startTime time?, " +
		"endTime time?" + stamps
	topicShape = "id int, title text, subtitle text, price money, readCount text, picUrl text"
	floorShape = "id int, name text, goodsList list"
	regionRow  = "id int, pid int, name text, type int, code int"

	addressShape = "id int, name text, userId int, province text, city text, county text, addressDetail text, " +
		"areaCode text, tel text, postalCode text, isDefault bool" + stamps
	cartRow = "id int, userId int, goodsId int, goodsSn text, goodsName text, productId int, price money, number int, " +
		"specifications texts, checked bool, picUrl text" + stamps
	cartTotals    = "goodsCount int, goodsAmount money, checkedGoodsCount int, checkedGoodsAmount money"
	checkoutShape = "addressId int, checkedAddress object, cartId int, couponId int, userCouponId int, " +
		"couponPrice money, " +
		"availableCouponLength int, grouponRulesId int, grouponPrice money, goodsTotalPrice money, freightPrice money, " +
		"orderTotalPrice money, actualPrice money, checkedGoodsList list"

	orderRow = "id int, orderSn text, orderStatusText text, actualPrice money, isGroupin bool, goodsList list, " +
		"handleOption object, orderStatus int, aftersaleStatus int"
	orderRowGoods = "id int, goodsName text, number int, picUrl text, specifications texts, price money, goodsId int"
	orderInfo     = "id int, orderSn text, orderStatusText text, consignee text, address text, mobile text, " +
		"addTime time, " +
		"goodsPrice money, couponPrice money, freightPrice money, actualPrice money, handleOption object, " +
		"orderStatus int, aftersaleStatus int, message text, expCode text?, expName text?, expNo text?"
	orderLine = "id int, orderId int, goodsId int, goodsName text, goodsSn text, productId int, number int, " +
		"price money, " +
		"specifications texts, picUrl text, comment int" + stamps
	prepayShape = "appId text, timeStamp text, nonceStr text, packageValue text, signType text, paySign text"

	commentEntry  = "id int, star int, userInfo object, addTime time, picList texts, content text, adminContent text"
	commentDetail = commentEntry + ", nickname text, avatar text"

	staffOrderRow = "id int, orderSn text, orderStatus int, actualPrice money, integralPrice money, " +
		"freightPrice money, " +
		"orderPrice money, addTime time, payTime time|null, userId int, userName text, userAvatar text, avatar text, " +
		"consignee text, address text, mobile text, shipChannel text|null, shipSn text|null, message text, goodsVoList list"
	staffOrderGoods = "id int, goodsId int, productId int, goodsName text, picUrl text, specifications texts, " +
		"number int, " +
		"price money"
	staffOrder = "id int, userId int, orderSn text, orderStatus int, aftersaleStatus int, consignee text, " +
		"mobile text, " +
		"address text, message text, goodsPrice money, freightPrice money, couponPrice money, integralPrice money, " +
		"grouponPrice money, orderPrice money, actualPrice money, payId text|null, payTime time|null, shipSn text|null, " +
		"shipChannel text|null, shipTime time|null, refundAmount money|null, refundType text|null, " +
		"refundContent text|null, refundTime time|null, confirmTime time|null, comments int, endTime time|null" + stamps
	staffGoods = "id int, goodsSn text, name text, categoryId int, brandId int, gallery texts, keywords text, " +
		"brief text, " +
		"isOnSale bool, sortOrder int, picUrl text, shareUrl text, isNew bool, isHot bool, unit text, " +
		"counterPrice money, " +
		"retailPrice money, detail text" + stamps

	roleShape     = "id int, name text, desc text, enabled bool" + stamps
	operatorShape = "id int, username text, avatar text, roleId list, roleIds list, lastLoginIp text, " +
		"lastLoginTime time|null" + stamps
	staffBanner = "id int, name text, link text, url text, position int, content text, enabled bool, " +
		"startTime time|null, endTime time|null" + stamps
	staffCoupon = "id int, name text, desc text, tag text, total int, discount money, min money, limit int, type int, " +
		"status int, goodsType int, goodsValue list, code text|null, timeType int, days int, startTime time|null, " +
		"endTime time|null" + stamps
)
