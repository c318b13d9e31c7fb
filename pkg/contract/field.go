package contract

import (
	"strings"
	"unicode"

	"shop.internal/pkg/domain/platform/text"
)

// fields are what members mean whose names, in JSON or in a label tag, are not those of their fields. A name means the
// same in every request and every answer of both services.
var fields = map[string]*text.Field{
	"addressDetail":      text.FieldStreetAddress,
	"addressId":          text.FieldAddress,
	"admin":              text.FieldOperator,
	"adminId":            text.FieldOperator,
	"aftersaleId":        text.FieldCase,
	"aftersaleSn":        text.FieldCaseNumber,
	"attribute":          text.FieldAttributeName,
	"avatarUrl":          text.FieldAvatar,
	"brandId":            text.FieldBrand,
	"cartId":             text.FieldCartItem,
	"categoryId":         text.FieldCategory,
	"comment":            text.FieldRemark,
	"commentId":          text.FieldComment,
	"couponId":           text.FieldCoupon,
	"days":               text.FieldValidDays,
	"desc":               text.FieldDescription,
	"discountMember":     text.FieldGroupSize,
	"end":                text.FieldEndTime,
	"expCode":            text.FieldCarrier,
	"expectedUpdateTime": text.FieldUpdateTime,
	"expireTime":         text.FieldExpiryTime,
	"expNo":              text.FieldTrackingNumber,
	"feedType":           text.FieldFeedbackType,
	"footprintId":        text.FieldFootprint,
	"goodsId":            text.FieldGoods,
	"goodsSn":            text.FieldGoodsNumber,
	"goodsType":          text.FieldScope,
	"goodsValue":         text.FieldScopeItems,
	"goodsVoList":        text.FieldOrderLines,
	"grouponId":          text.FieldGroup,
	"grouponLinkId":      text.FieldGroupToJoin,
	"grouponRuleId":      text.FieldGroupRule,
	"grouponRulesId":     text.FieldGroupRule,
	"iconUrl":            text.FieldIcon,
	"isChecked":          text.FieldChecked,
	"isDefault":          text.FieldDefault,
	"isHot":              text.FieldHot,
	"isNew":              text.FieldNew,
	"isOnSale":           text.FieldOnSale,
	"iv":                 text.FieldInitVector,
	"key":                text.FieldFileKey,
	"limit":              text.FieldPageSize,
	"min":                text.FieldMinimum,
	"newMoney":           text.FieldAmountPaid,
	"nickName":           text.FieldNickname,
	"note":               text.FieldRemark,
	"noticeId":           text.FieldNotice,
	"ogid":               text.FieldOrderLine,
	"order":              text.FieldSortDirection,
	"orderGoodsId":       text.FieldOrderLine,
	"orderId":            text.FieldOrder,
	"orderSn":            text.FieldOrderNumber,
	"orderStatus":        text.FieldState,
	"orderStatusArray":   text.FieldOrderStates,
	"picUrl":             text.FieldPicture,
	"picUrls":            text.FieldPictures,
	"payId":              text.FieldPaymentNumber,
	"pid":                text.FieldParent,
	"productId":          text.FieldProduct,
	"productIds":         text.FieldProducts,
	"readCount":          text.FieldReaders,
	"refundMoney":        text.FieldRefundAmount,
	"roleId":             text.FieldRole,
	"roleIds":            text.FieldRoles,
	"shareUrl":           text.FieldSharePicture,
	"shipChannel":        text.FieldCarrier,
	"shipSn":             text.FieldTrackingNumber,
	"size":               text.FieldPageSize,
	"specification":      text.FieldSpecificationName,
	"star":               text.FieldRating,
	"start":              text.FieldStartTime,
	"status":             text.FieldState,
	"stockBase":          text.FieldShownStock,
	"tel":                text.FieldMobile,
	"timeType":           text.FieldValidityType,
	"topicId":            text.FieldTopic,
	"userAvatar":         text.FieldAvatar,
	"userCouponId":       text.FieldCoupon,
	"userId":             text.FieldUser,
	"userName":           text.FieldUsername,
	"valueId":            text.FieldGoodsOrTopic,
	"wxCode":             text.FieldAppLoginCode,
}

// Field returns what a member of a request or an answer means: the field of the same name, where the table has no
// other. It returns nil for a name that has no label.
func Field(member string) *text.Field {
	if f, known := fields[member]; known {
		return f
	}
	return sameName(member)
}

// sameName returns the field of a member's own name, as sortOrder is that of sort-order.
func sameName(member string) *text.Field {
	var key strings.Builder
	for _, r := range member {
		if unicode.IsUpper(r) {
			key.WriteByte('-')
		}
		key.WriteRune(unicode.ToLower(r))
	}
	return text.FieldNamed(key.String())
}
