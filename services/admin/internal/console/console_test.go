package console_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/console"
	"shop.internal/services/admin/internal/crud"
	"shop.internal/services/admin/internal/menu"
)

type row struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	PicURL  wire.Link  `json:"picUrl" show:"picture"`
	Price   wire.Money `json:"price"`
	Enabled bool       `json:"enabled"`
	Gender  int        `json:"gender" show:"one=gender"`
	wire.Stamps
}

type listed struct {
	wire.Paging
	Name string `json:"name"`
}

type added struct {
	Name string `json:"name" check:"required,maxLength=63"`
}

type changed struct {
	wire.Ref
	Name    *string `json:"name" check:"notBlank,maxLength=63"`
	Enabled *bool   `json:"enabled"`
}

type record struct{}

// area declares a plain area of brands.
func area[Row any](columns op.Columns) []op.Op {
	view := func(record) (r Row) { return r }
	return crud.Resource{
		Path: "/admin/brand", Menu: menu.Brands(), One: "a brand", Many: "brands", Columns: columns,
		List: crud.List(3, view, func(context.Context, listed, page.Query) (page.List[record], error) {
			return page.List[record]{}, nil
		}),
		Create: crud.Create(4, view, func(context.Context, added) (record, error) { return record{}, nil }),
		Read:   crud.Read(2, view, func(context.Context, int64) (record, error) { return record{}, nil }),
		Update: crud.Update(5, view, func(context.Context, changed) (record, error) { return record{}, nil }),
		Delete: crud.Delete(5, func(context.Context, int64) error { return nil }),
	}.Ops()
}

func of(t *testing.T, ops ...op.Op) (console.Console, error) {
	t.Helper()
	specs, err := op.Specs(ops...)
	require.NoError(t, err)
	return console.Of(specs)
}

func TestAPlainAreaIsDescribedByItsDeclaration(t *testing.T) {
	c, err := of(t, area[row](op.Columns{
		Names: []string{"picUrl", "name", "enabled", "addTime"}, Opens: "name", Switches: []string{"enabled"},
	})...)
	require.NoError(t, err)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	var said struct {
		Menus []struct {
			ID    string
			Pages []struct {
				ID          string
				Permissions []string
			}
		}
		Areas map[string]struct {
			Page string
			List struct {
				Permission string
				Fields     []struct{ Name string }
				Sorts      []string
				Columns    []map[string]any
				Row        []struct{ Name, Kind string }
			}
			Create, Update struct {
				Path   string
				Fields []struct {
					Name, Kind string
					Required   bool
					Max        int
				}
			}
		}
		Operations map[string]string
	}
	require.NoError(t, json.Unmarshal(data, &said))
	require.Equal(t, "mall", said.Menus[0].ID)
	require.Equal(t, "mall/brand", said.Menus[0].Pages[0].ID)
	require.Len(t, said.Menus[0].Pages[0].Permissions, 5)
	require.Equal(t, "admin:brand:update", said.Operations["POST /admin/brand/update"])
	brand := said.Areas["brand"]
	require.Equal(t, "mall/brand", brand.Page)
	require.Equal(t, "admin:brand:list", brand.List.Permission)
	require.Equal(t, []struct{ Name string }{{"name"}}, brand.List.Fields, "what every list takes is no filter")
	require.Equal(t, []string{"add_time", "id"}, brand.List.Sorts)
	label := map[string]any{"zh": "图片", "en": "Picture"}
	require.Equal(t, map[string]any{
		"name": "picUrl", "label": label, "kind": "text", "show": map[string]any{"as": "picture"},
	}, brand.List.Columns[0])
	require.Equal(t, true, brand.List.Columns[1]["opens"])
	require.Equal(t, true, brand.List.Columns[2]["switches"])
	require.Equal(t, "add_time", brand.List.Columns[3]["sort"])
	require.Contains(t, brand.List.Row, struct{ Name, Kind string }{"price", "money"})
	require.Equal(t, "/admin/brand/create", brand.Create.Path)
	require.True(t, brand.Create.Fields[0].Required)
	require.Equal(t, 63, brand.Create.Fields[0].Max)
	require.Equal(t, "boolean", brand.Update.Fields[2].Kind)
}

// The form of an update has the members of the record, and nothing of what stands beside it.
func TestTheRecordOfAnUpdateThatHasMore(t *testing.T) {
	type pot struct {
		ID     int64   `json:"id" check:"required"`
		Name   *string `json:"name"`
		Detail *string `json:"detail" show:"rich"`
	}
	type edit struct {
		Goods    pot        `json:"goods" check:"required"`
		Products []wire.Ref `json:"products"`
	}
	c, err := of(t, op.Write[edit, op.None]{
		Path: "/admin/brand/update", Title: "Change a brand", Access: op.Permit("admin:brand:update", menu.Brands(), menu.Edit()),
		Audit: op.Audit{Target: "brand"}, Budget: 1,
		Do: func(context.Context, edit) (op.None, error) { return op.None{}, nil },
	})
	require.NoError(t, err)
	update := c.Areas["brand"].Update
	require.Equal(t, "goods", update.Record)
	require.Len(t, update.Fields, 2)
	require.Equal(t, "id", update.Fields[0].Name)
	require.Equal(t, "name", update.Fields[1].Name)
}

// A link opens a record of every list: an operation of its own reads it, or the list is asked for it.
func TestEveryRecordCanBeReadAlone(t *testing.T) {
	type branch struct {
		row
		Children []row `json:"children"`
	}
	type alone struct {
		wire.Paging
		ID *int64 `json:"id" show:"none"`
	}
	all := area[branch](op.Columns{Names: []string{"name"}})
	c, err := of(t, all...)
	require.NoError(t, err)
	brands := c.Areas["brand"].List
	require.True(t, brands.Tree)
	require.False(t, brands.ByID)
	for _, m := range brands.Row {
		require.NotEqual(t, "children", m.Name, "they are rows")
	}
	_, err = of(t, all[0])
	require.ErrorContains(t, err, "nothing reads one of its records")

	c, err = of(t, op.Read[alone, wire.List[row]]{
		Path: "/admin/brand/list", Title: "List brands", Access: op.Permit("admin:brand:list", menu.Brands(), menu.Query()), Budget: 1,
		Columns: op.Columns{Names: []string{"name"}},
		Do:      func(context.Context, alone) (wire.List[row], error) { return wire.List[row]{}, nil },
	})
	require.NoError(t, err)
	require.True(t, c.Areas["brand"].List.ByID)
	require.False(t, c.Areas["brand"].List.Tree)
	require.Empty(t, c.Areas["brand"].List.Fields, "no page shows it")
}

func TestDeclarationsThatTheConsoleCannotShowAreRefused(t *testing.T) {
	type unlisted struct {
		row
		UserID int64 `json:"userId" show:"of=user"`
	}
	type nameless struct {
		row
		Level int `json:"level" show:"one=nothing"`
	}
	type unlabelled struct {
		row
		Colour string `json:"colourOfTheBox"`
	}
	names := func(n ...string) op.Columns { return op.Columns{Names: n} }
	for name, tt := range map[string]struct {
		ops  []op.Op
		says string
	}{
		"a column that is no member":      {area[row](names("weight")), `the column "weight" is no member of its rows`},
		"a column that cannot be changed": {area[row](op.Columns{Names: []string{"name"}, Switches: []string{"name"}}), `cannot be switched`},
		"an id of what nothing lists":     {area[unlisted](names("name")), `nothing lists "user"`},
		"a value without names":           {area[nameless](names("name")), `no table has the names "nothing"`},
		"a member without a label":        {area[unlabelled](names("name")), `"colourOfTheBox" has no label`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := of(t, tt.ops...)
			require.ErrorContains(t, err, tt.says)
		})
	}
	_, err := op.Specs(area[row](op.Columns{Names: []string{"name"}, Opens: "enabled"})...)
	require.ErrorContains(t, err, `"enabled" is none`, "only a column can open a record")
	require.Panics(t, func() {
		op.Members(reflectOf[struct {
			Name string `json:"name" show:"of=brand"`
		}](), never)
	}, "text is no id")
}

func reflectOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

func never(reflect.Type) bool { return false }
