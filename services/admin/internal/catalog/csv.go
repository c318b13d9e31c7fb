package catalog

import (
	"context"
	"net/http"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/cleaned"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
)

// importing is the timeout for a CSV file of goods.
const importing = 2 * time.Minute

func csvOps(h goodsHandlers) []op.Op {
	return []op.Op{
		op.Stream[ExportGoods]{
			Path: "/admin/goods/export", Title: "Export goods with their products as CSV",
			Access: op.Permit("admin:goods:export", menu.Goods(), menu.Export()), Audit: audit("goods-export"),
			Limit: export.Limit, AllowStale: true, Do: h.export,
		},
		op.Upload[Checked]{
			Path: "/admin/goods/import/check", Title: "Say everything that is wrong with a CSV of goods, and write nothing",
			Access: op.SharedPermit("admin:goods:create"), Part: "file", Limit: catalog.MaxCSV, Timeout: importing,
			Budget: 7, Do: h.check,
		},
		op.Upload[Imported]{
			Path: "/admin/goods/import", Title: "Put all goods of a CSV on sale, or none",
			Access: op.SharedPermit("admin:goods:create"), Fails: []*errno.Code{errno.Invalid, errno.GoodsNameExists},
			Part: "file", Limit: catalog.MaxCSV, Timeout: importing, IdempotencyScope: "admin.goods-import",
			Audit: audit("goods-create"), Budget: op.PerItem, Do: h.importAll,
		},
	}
}

// ExportGoods is the query of /admin/goods/export, with the filter of the list.
type ExportGoods struct{ GoodsFilter }

func (h goodsHandlers) export(ctx context.Context, r ExportGoods, w http.ResponseWriter) error {
	names, err := h.Catalog.Names(ctx)
	if err != nil {
		return err
	}
	file, err := export.Open(ctx, w, export.List{
		Audit: h.Audit, Filter: r.GoodsFilter, Name: "goods", Header: catalog.CSVHeader(), Currency: "",
	})
	if err != nil {
		return err
	}
	err = h.Catalog.EachGoods(ctx, r.filter(), func(list []catalog.Detail) error {
		for _, d := range list {
			for _, row := range d.CSVRows(names) {
				if err := file.Row(row...); err != nil {
					return err
				}
			}
		}
		return file.Flush()
	})
	return file.End(ctx, err)
}

// Imported is the number of imported goods and products.
type Imported struct {
	Goods    int `json:"goods"`
	Products int `json:"products"`
	cleaned.HTML
}

// Checked is the content of a file and all its faults.
type Checked struct {
	Imported

	Faults []Fault `json:"faults"`
}

// Fault is one fault of a file.
type Fault struct {
	Line    int    `json:"line" doc:"The row as a spreadsheet counts, where 1 is the heading."`
	GoodsSN string `json:"goodsSn" doc:"The number of the goods in that row, as far as it can be read."`
	Column  string `json:"column" doc:"Empty where it is the row as a whole."`
	Reason  string `json:"reason" doc:"missing, malformed, unknown, taken, twice, differs, rounded, unreadable, toomany."`
	// Message is the fault as a sentence.
	Message string `json:"message" doc:"What is wrong, in the language of the shop, for people to read."`
}

func (h goodsHandlers) check(ctx context.Context, f op.File) (Checked, error) {
	n, faults, err := h.Catalog.CheckCSV(ctx, f.Data)
	return Checked{
		Imported: imported(n),
		Faults: wire.Each(faults, func(f catalog.Fault) Fault {
			return Fault{f.Line, f.SN, f.Column, f.Reason, f.Message(op.LanguageOf(ctx, h.Language))}
		}),
	}, err
}

func (h goodsHandlers) importAll(ctx context.Context, f op.File) (Imported, error) {
	n, err := h.Catalog.ImportCSV(ctx, f.Data)
	return imported(n), err
}

func imported(n catalog.Imported) Imported {
	return Imported{n.Goods, n.Products, cleaned.HTML{Removed: n.Removed}}
}
