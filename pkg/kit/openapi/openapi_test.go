package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/kit/golden"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/wire"
)

type find struct {
	Category *int64 `json:"categoryId" check:"min=1" doc:"Only of this category."`
	States   []int  `json:"states" check:"enum=101|102"`
	New      bool   `json:"isNew"`
	Show     int    `json:"show" check:"default=-1"`
	Mobile   string `json:"mobile" check:"form=mobile,alias=tel"`
	wire.Paging
}

type save struct {
	ID    int64        `json:"id" check:"required"`
	Name  string       `json:"name" check:"required,maxLength=63,maxBytes=72"`
	Price money.Amount `json:"price" check:"min=0,max=100000"`
	Cost  money.Amount `json:"cost" check:"round"`
	Pics  []string     `json:"pics" check:"required,notEmpty,url,maxItems=9"`
	Kind  int          `json:"kind" check:"enum=0|1"`
	Maker struct {
		Name string `json:"name" check:"required,maxLength=9"`
	} `json:"maker" check:"required" doc:"Who made it."`
}

type node struct {
	Name     string `json:"name"`
	Children []node `json:"children"`
}

type base struct {
	ID      int64     `json:"id"`
	AddTime wire.Time `json:"addTime"`
}

type more struct {
	ID   int64  `json:"id"`
	Hint string `json:"hint"`
}

type found struct {
	ID int64 `json:"id" doc:"0 for none."`
	*more
}

type row struct {
	base
	Found    found           `json:"found"`
	Price    wire.Money      `json:"price"`
	Discount wire.MoneyText  `json:"discount"`
	Shipped  wire.Time       `json:"shipped,omitzero"`
	Note     *string         `json:"note"`
	Tree     *node           `json:"tree"`
	Gone     *string         `json:"gone,omitempty"`
	Kept     json.RawMessage `json:"kept"`
	Texts    map[string]int  `json:"texts" doc:"By language."`
	hidden   int
	Skipped  int `json:"-"`
}

type place string

func (p place) String() string { return string(p) }

func specs(t *testing.T) []op.Spec {
	t.Helper()
	specs, err := op.Specs(
		op.Read[find, wire.List[row]]{
			Path: "/wx/goods/list", Title: "List goods", Access: op.Optional,
			Do: func(context.Context, find) (wire.List[row], error) { return wire.List[row]{}, nil },
		},
		op.Write[save, op.None]{
			Path: "/wx/goods/save", Title: "Save goods", IdempotencyScope: "goods.save", Fails: []*errno.Code{errno.Stale},
			Access: op.Permit("admin:goods:save", place("Goods"), place("Save")).WithAlias("admin:goods:keep"),
			Do:     func(context.Context, save) (op.None, error) { return op.None{}, nil },
		},
		op.Read[op.None, []node]{
			Path: "/wx/goods/tree", Title: "Tree", Access: op.SharedPermit("admin:goods:save"),
			Do: func(context.Context, op.None) ([]node, error) { return nil, nil },
		},
		op.Write[op.None, op.None]{
			Path: "/wx/auth/logout", Title: "Log out", Access: op.SignedIn,
			Do: func(context.Context, op.None) (op.None, error) { return op.None{}, nil },
		},
		op.Write[op.Scalars, op.None]{
			Path: "/wx/settings", Title: "Set", Access: op.SignedIn,
			Do: func(context.Context, op.Scalars) (op.None, error) { return op.None{}, nil },
		},
		op.Upload[node]{
			Path: "/wx/storage/upload", Title: "Upload", Access: op.SignedIn, Part: "file", Limit: 1 << 20,
			Do: func(context.Context, op.File) (node, error) { return node{}, nil },
		},
		op.Raw{
			Method: http.MethodGet, Path: "/wx/storage/fetch/{key}", Title: "Fetch", Access: op.Public,
			Serve: func(http.ResponseWriter, *http.Request) error { return nil },
		},
	)
	require.NoError(t, err)
	return specs
}

var options = openapi.Options{Title: "Sample", Version: "1", TokenHeader: "X-Shop-Token"}

func TestTheDocument(t *testing.T) {
	_ = row{hidden: 1}.hidden
	var first, second bytes.Buffer
	require.NoError(t, openapi.Write(&first, options, specs(t)))
	require.NoError(t, openapi.Write(&second, options, specs(t)))
	require.Equal(t, first.String(), second.String(), "the same declarations, the same bytes")
	golden.JSON(t, "document", first.Bytes())
}

func TestEveryReferenceLeadsSomewhere(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, openapi.Write(&b, options, specs(t)))
	var doc map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	var walk func(v any)
	found := 0
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				found++
				require.Contains(t, schemas, ref[len("#/components/schemas/"):])
			}
			for _, member := range v {
				walk(member)
			}
		case []any:
			for _, member := range v {
				walk(member)
			}
		}
	}
	walk(doc)
	require.Greater(t, found, 3)
}

// The tags of a document are those of its operations.
func TestTags(t *testing.T) {
	tagged := func(names ...string) (string, error) {
		o, b := options, bytes.Buffer{}
		for _, name := range names {
			o.Tags = append(o.Tags, openapi.Tag{Name: name, Text: "About " + name + "."})
		}
		err := openapi.Write(&b, o, specs(t))
		return b.String(), err
	}
	text, err := tagged("auth", "storage", "settings", "goods")
	require.NoError(t, err)
	order := regexp.MustCompile(`"About ([a-z]+)\."`).FindAllStringSubmatch(text, -1)
	require.Len(t, order, 4)
	require.Equal(t, "storage", order[1][1], "in the order of the options")
	_, err = tagged("auth", "storage", "settings", "goods", "nothing")
	require.EqualError(t, err, "openapi: no operation has the tag nothing")
}

func TestErrors(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, openapi.WriteErrors(&b))
	require.Contains(t, b.String(), "| 711 | `GOODS_NO_STOCK` | not enough stock | 库存不足 |\n")
}

type writesItself struct{}

func (writesItself) MarshalJSON() ([]byte, error) { return nil, nil }

func TestATypeThatCannotBeDescribedStops(t *testing.T) {
	specs, err := op.Specs(op.Read[op.None, writesItself]{
		Path: "/x", Title: "X", Access: op.Public,
		Do: func(context.Context, op.None) (writesItself, error) { return writesItself{}, nil },
	})
	require.NoError(t, err)
	require.Panics(t, func() { _ = openapi.Write(&bytes.Buffer{}, options, specs) })
}
