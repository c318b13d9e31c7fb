package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is what a person fills in or chooses, as refusals call it: a field of a form, or the record that an id names.
// A member of a request or an answer means the field with its own name, the same in all of both services. A line in the
// file of each language is its label; "@brand" is that of the member brand.
type Field struct{ Text }

// fields are all of them by their names, such as sort-order.
var fields = labels()

func labels() map[string]*Field {
	found := map[string]*Field{}
	for name, t := range family("field.") {
		found[name] = &Field{*t}
	}
	for key, label := range catalogues[Chinese] {
		if same, is := strings.CutPrefix(label, "@"); is {
			found[strings.TrimPrefix(key, "field.")] = found[same]
		}
	}
	return found
}

func field(name string) *Field { return chosen(fields, "field", name) }

// Title is the field as it is written beside its value on a page: without the article that it has in a sentence, with a
// capital letter, and without the word flag.
func (f *Field) Title(language string) string {
	words := f.In(language)
	for _, article := range []string{"the ", "a ", "an "} {
		words = strings.TrimPrefix(words, article)
	}
	words = strings.TrimSuffix(words, " flag")
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// FieldNamed returns what a member of a request or an answer, or a column, is called: sortOrder, sort_order and
// sort-order are one. It returns nil for a name that has no label.
func FieldNamed(member string) *Field {
	var name strings.Builder
	for _, r := range member {
		switch {
		case r == '_':
			r = '-'
		case unicode.IsUpper(r):
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return fields[name.String()]
}

// The fields that Go code names, by what the console and the shop write beside them.
var (
	FieldAd             = field("ad")
	FieldAddress        = field("address")
	FieldAmount         = field("amount")
	FieldAreaCode       = field("area-code")
	FieldAttributes     = field("attributes")
	FieldAvatar         = field("avatar")
	FieldBrand          = field("brand")
	FieldBrief          = field("brief")
	FieldCarrier        = field("exp-code")
	FieldCartItem       = field("cart-id")
	FieldCase           = field("aftersale-id")
	FieldCategory       = field("category-id")
	FieldCharge         = field("charge")
	FieldCity           = field("city")
	FieldComment        = field("comment-id")
	FieldConsignee      = field("consignee")
	FieldCounterPrice   = field("counter-price")
	FieldCounty         = field("county")
	FieldCoupon         = field("coupon")
	FieldDecision       = field("decision")
	FieldDetail         = field("detail")
	FieldDiscount       = field("discount")
	FieldEndTime        = field("end-time")
	FieldExpiryTime     = field("expire-time")
	FieldFile           = field("file")
	FieldFirstPrice     = field("first-price")
	FieldFirstUnits     = field("first-units")
	FieldFloorPrice     = field("floor-price")
	FieldFootprint      = field("footprint-id")
	FieldFreeFrom       = field("free-from")
	FieldFreight        = field("freight")
	FieldFurtherPrice   = field("further-price")
	FieldFurtherUnits   = field("further-units")
	FieldGallery        = field("gallery")
	FieldGender         = field("gender")
	FieldGoods          = field("goods")
	FieldGoodsNumber    = field("goods-sn")
	FieldGoodsOrTopic   = field("value-id")
	FieldGroup          = field("group")
	FieldGroupRule      = field("groupon-rule-id")
	FieldGroupSize      = field("discount-member")
	FieldGroupToJoin    = field("groupon-link-id")
	FieldHot            = field("hot")
	FieldID             = field("id")
	FieldIDs            = field("ids")
	FieldIssue          = field("issue")
	FieldKeyword        = field("keyword")
	FieldKeywords       = field("keywords")
	FieldLevel          = field("level")
	FieldMobile         = field("mobile")
	FieldName           = field("name")
	FieldNickname       = field("nickname")
	FieldNotice         = field("notice")
	FieldNumber         = field("number")
	FieldOperator       = field("operator")
	FieldOrder          = field("order-id")
	FieldOrderLine      = field("ogid")
	FieldPage           = field("page")
	FieldPageSize       = field("size")
	FieldParent         = field("parent")
	FieldPassword       = field("password")
	FieldPermission     = field("permission")
	FieldPermissions    = field("permissions")
	FieldPicture        = field("pic-url")
	FieldPieceWeight    = field("piece-weight")
	FieldPostalCode     = field("postal-code")
	FieldPrice          = field("price")
	FieldProduct        = field("product")
	FieldProducts       = field("products")
	FieldProvince       = field("province")
	FieldRating         = field("star")
	FieldRecipient      = field("recipient")
	FieldRegions        = field("regions")
	FieldRole           = field("role")
	FieldRoles          = field("roles")
	FieldRules          = field("rules")
	FieldSettings       = field("settings")
	FieldSort           = field("sort")
	FieldSortDirection  = field("order")
	FieldSortOrder      = field("sort-order")
	FieldSpecifications = field("specifications")
	FieldStartTime      = field("start-time")
	FieldState          = field("state")
	FieldStreetAddress  = field("address-detail")
	FieldTag            = field("tag")
	FieldTopic          = field("topic")
	FieldTotal          = field("total")
	FieldTrackingNumber = field("exp-no")
	FieldType           = field("type")
	FieldURL            = field("url")
	FieldUnit           = field("unit")
	FieldUpdateTime     = field("update-time")
	FieldUser           = field("user")
	FieldUserLevel      = field("user-level")
	FieldUsername       = field("username")
	FieldValidDays      = field("days")
	FieldWeight         = field("weight")
)
