package op_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
)

// offer is a request with labelled members; the label of Most is another member's.
type offer struct {
	GoodsSn  string   `json:"goodsSn" check:"required,maxLength=5"`
	Password string   `json:"password" check:"minLength=6,maxLength=64,maxBytes=72"`
	Number   int      `json:"number" check:"min=1,max=99"`
	Days     int      `json:"days" check:"min=1"`
	Total    int      `json:"total" check:"max=9"`
	Price    int      `json:"price"`
	Status   int      `json:"status" check:"enum=0|1"`
	Order    string   `json:"order" check:"enum=desc|asc"`
	Mobile   string   `json:"mobile" check:"form=mobile"`
	URL      string   `json:"url" check:"url"`
	Unit     string   `json:"unit" check:"minLength=2"`
	IDs      []int64  `json:"ids" check:"minItems=1,maxItems=2"`
	Tags     []string `json:"tag" check:"itemMax=3"`
	IsHot    bool     `json:"isHot"`
	Most     int      `json:"limit" label:"size" check:"min=1,max=3"`
}

// called are a service's labels for the members of an offer.
var called = map[string]*text.Field{
	"goodsSn": text.FieldGoodsNumber, "password": text.FieldPassword, "number": text.FieldNumber, "days": text.FieldValidDays,
	"total": text.FieldTotal, "price": text.FieldPrice, "status": text.FieldState, "order": text.FieldSortDirection,
	"mobile": text.FieldMobile, "unit": text.FieldUnit, "ids": text.FieldIDs, "tag": text.FieldTag, "isHot": text.FieldHot,
	"size": text.FieldPageSize,
}

func TestRefusalsSayWhatIsWrong(t *testing.T) {
	var r offer
	words := func(h *op.Hooks) { h.Label = func(member string) *text.Field { return called[member] } }
	en := mount(t, words, echo(&r)...)
	zh := mount(t, func(h *op.Hooks) { words(h); h.Envelope = envelope.New(text.Chinese) }, echo(&r)...)
	for body, want := range map[string][2]string{
		`{}`:                                 {"缺少商品编号", "the goods number is missing"},
		`{"goodsSn":"123456"}`:               {"商品编号不能超过 5 个字", "the goods number must have at most 5 characters"},
		`{"goodsSn":"1","password":"12345"}`: {"密码应为 6 到 64 个字", "the password must have 6 to 64 characters"},
		`{"goodsSn":"1","password":"` + wide + `"}`: {"密码太长，不能超过 72 字节", "the password must have at most 72 bytes"},
		`{"goodsSn":"1","number":100}`:              {"数量应在 1 到 99 之间", "the quantity must be between 1 and 99"},
		`{"goodsSn":"1","number":"many"}`:           {"数量应为整数", "the quantity must be an integer"},
		`{"goodsSn":"1","days":0}`:                  {"有效天数不能小于 1", "the number of valid days must be at least 1"},
		`{"goodsSn":"1","total":10}`:                {"总数量不能大于 9", "the total must be at most 9"},
		`{"goodsSn":"1","price":2147483648}`: {
			"价格应在 -2147483648 到 2147483647 之间", "the price must be between -2147483648 and 2147483647",
		},
		`{"goodsSn":"1","status":2}`:    {"状态只能是 0, 1", "the status must be one of 0, 1"},
		`{"goodsSn":"1","order":"up"}`:  {"排序方向只能是 desc, asc", "the sort direction must be one of desc, asc"},
		`{"goodsSn":"1","mobile":"12"}`: {"手机号码应为 11 位手机号码", "the mobile number must have the 11 digits of a mobile number"},
		`{"goodsSn":"1","url":"tea"}`: {
			"url应为 http:// 或 https:// 开头的网址，最多 255 个字",
			"url must begin with http:// or https:// and have at most 255 characters",
		},
		`{"goodsSn":"1","unit":"a"}`:        {"单位不能少于 2 个字", "the unit must have at least 2 characters"},
		`{"goodsSn":"1","ids":[1,2,3]}`:     {"编号列表最多 2 项", "the ids must have at most 2 items"},
		`{"goodsSn":"1","ids":[]}`:          {"编号列表至少 1 项", "the ids must have at least 1 items"},
		`{"goodsSn":"1","ids":7}`:           {"编号列表应为列表", "the ids must be a list"},
		`{"goodsSn":"1","tag":["abcd"]}`:    {"标签不能超过 3 个字", "the tag must have at most 3 characters"},
		`{"goodsSn":"1","isHot":"perhaps"}`: {"热门标记应为是或否", "the hot flag must be true or false"},
		`{"goodsSn":"1","limit":4}`:         {"每页行数应在 1 到 3 之间", "the page size must be between 1 and 3"},
		`{"goodsSn":{}}`:                    {"商品编号格式不正确", "the goods number is malformed"},
		`[]`:                                {"请求内容不是有效的 JSON 对象", "the request is not a valid JSON object"},
	} {
		require.Equal(t, want[0], zh.post(t, "/echo/body", body).Errmsg, body)
		require.Equal(t, want[1], en.post(t, "/echo/body", body).Errmsg, body)
	}
}

// A program that shows a form marks what is wrong without reading the sentence.
func TestARefusalNamesTheMember(t *testing.T) {
	refusals := map[int]error{
		1: errno.Invalid.About(text.FieldMobile),
		2: fmt.Errorf("find it: %w", errno.NoSuch(text.FieldGoodsNumber)),
		3: errno.Invalid.About(text.FieldBrand), // no member of the request
		4: errno.Invalid,
		5: errno.GoodsUnknown,
		6: errors.New("the database is gone"),
	}
	s := mount(t, func(h *op.Hooks) { h.Label = func(member string) *text.Field { return called[member] } },
		op.Write[offer, op.None]{
			Path: "/offer", Title: "Offer", Access: op.Public, Fails: []*errno.Code{errno.GoodsUnknown},
			Do: func(_ context.Context, o offer) (op.None, error) { return op.None{}, refusals[o.Price] },
		},
		op.Read[offer, op.None]{
			Path: "/offers", Title: "List offers", Access: op.Public,
			Do: func(context.Context, offer) (op.None, error) { return op.None{}, nil },
		},
	)
	for body, want := range map[string]string{
		`{}`:                              "goodsSn",
		`{"goodsSn":"123456"}`:            "goodsSn",
		`{"goodsSn":"1","number":"many"}`: "number",
		`{"goodsSn":"1","limit":9}`:       "limit", // its label is that of the page size
		`{"goodsSn":"1","tag":["abcd"]}`:  "tag",
		`{"goodsSn":"1","price":1}`:       "mobile",
		`{"goodsSn":"1","price":2}`:       "goodsSn",
		`{"goodsSn":"1","price":3}`:       "",
		`{"goodsSn":"1","price":4}`:       "",
		`{"goodsSn":"1","price":5}`:       "",
		`{"goodsSn":"1","price":6}`:       "",
		`{"goodsSn":"1"}`:                 "",
		`[]`:                              "",
	} {
		require.Equal(t, want, s.post(t, "/offer", body).Header.Get("X-Shop-Field"), body)
	}
	require.Equal(t, "url", s.get(t, "/offers?goodsSn=1&url=%zz").Header.Get("X-Shop-Field"))
}

// wide is 64 characters in more than 72 bytes.
const wide = "密码密码密码密码密码密码密码密码密码密码密码密码密码密码密码密码"
