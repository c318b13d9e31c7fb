package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"shop.internal/pkg/kit/envelope"
)

// kind is a page of the router.
type kind struct {
	// path is its address, where {id} is a number.
	path string
	// file is the page in the sources of the script, whose files are named in the head; empty for pages that few open
	// first.
	file string
	// ask are the operations that it shows, where {id} is that number; none for a page that has content from the script
	// alone.
	ask []string
	// kept is the answer of the only operation as it is kept in memory, for pages that are asked for most; nil asks the
	// service.
	kept func(ctx context.Context, p *Pages, id string) (*envelope.Body, error)
	// show reads the answers, in the order of ask, into a view.
	show func(ctx context.Context, v *view, answers []answer) error
	// private pages are about a shopper, and no search engine lists them.
	private bool
}

// kinds are all pages of the router.
var kinds = []kind{
	{path: "/", file: "home/HomePage", ask: []string{"/wx/home/index"}, kept: keptHome, show: showHome},
	{
		path: "/goods/{id}", file: "goods/GoodsPage", ask: []string{"/wx/goods/detail?id={id}"}, kept: keptGoods,
		show: showGoods,
	},
	{path: "/category", file: "catalog/CategoryPage", ask: []string{"/wx/catalog/all"}, show: showTree},
	{
		path: "/category/{id}", file: "catalog/CategoryPage",
		ask:  []string{"/wx/goods/category?id={id}", "/wx/goods/list?categoryId={id}&limit=20"},
		show: showCategory,
	},
	{path: "/brands", file: "catalog/BrandsPage", ask: []string{"/wx/brand/list?limit=50"}, show: showBrands},
	{
		path: "/brands/{id}", file: "catalog/BrandPage",
		ask:  []string{"/wx/brand/detail?id={id}", "/wx/goods/list?brandId={id}&limit=20"},
		show: showBrand,
	},
	{path: "/topics", file: "content/TopicsPage", ask: []string{"/wx/topic/list?limit=50"}, show: showTopics},
	{path: "/topics/{id}", file: "content/TopicPage", ask: []string{"/wx/topic/detail?id={id}"}, show: showTopic},
	{path: "/help", file: "content/HelpPage", ask: []string{"/wx/issue/list?limit=50"}, show: showHelp},
	{path: "/goods", file: "catalog/GoodsListPage", show: showName},
	{path: "/goods/{id}/comments", show: showName},
	{path: "/groups", show: showName},
	{path: "/groups/{id}", show: showName, private: true},
	{path: "/coupons", show: showName},
	{path: "/search", show: showName, private: true},
	{path: "/cart", show: showName, private: true},
	{path: "/checkout", show: showName, private: true},
	{path: "/pay/{id}", show: showName, private: true},
	{path: "/pay/{id}/result", show: showName, private: true},
	{path: "/orders", show: showName, private: true},
	{path: "/orders/{id}", show: showName, private: true},
	{path: "/orders/{id}/review/{id}", show: showName, private: true},
	{path: "/after-sale", show: showName, private: true},
	{path: "/after-sale/{id}", show: showName, private: true},
	{path: "/account", show: showName, private: true},
	{path: "/account/profile", show: showName, private: true},
	{path: "/account/mobile", show: showName, private: true},
	{path: "/account/addresses", show: showName, private: true},
	{path: "/account/addresses/new", show: showName, private: true},
	{path: "/account/addresses/{id}", show: showName, private: true},
	{path: "/my/groups", show: showName, private: true},
	{path: "/my/groups/{id}", show: showName, private: true},
	{path: "/my/coupons", show: showName, private: true},
	{path: "/my/favourites", show: showName, private: true},
	{path: "/my/footprints", show: showName, private: true},
	{path: "/my/feedback", show: showName, private: true},
	{path: "/login", show: showName, private: true},
	{path: "/register", show: showName, private: true},
	{path: "/reset-password", show: showName, private: true},
}

// ScriptsOf returns the files of each page and language of the script by its path in the sources, such as
// home/HomePage. It fails for built pages without that list.
func ScriptsOf(pages fs.FS) (map[string][]string, error) {
	list, err := fs.ReadFile(pages, "routes.json")
	if err != nil {
		return nil, fmt.Errorf("read the files of the pages: %w", err)
	}
	var files map[string][]string
	if err := json.Unmarshal(list, &files); err != nil {
		return nil, fmt.Errorf("read the files of the pages: %w", err)
	}
	return files, nil
}

// kindOf returns the page at a path with the number in it, nil for an address that the router does not know.
func kindOf(path string) (*kind, string) {
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	for i := range kinds {
		if id, is := kinds[i].matches(path); is {
			return &kinds[i], id
		}
	}
	return nil, ""
}

// idPart is the part of a path or an address that is a number.
const idPart = "{id}"

// longestID is the number of digits that a number of a record has at most.
const longestID = 18

// matches reports whether a path is that of the page, and returns the first number in it.
func (k *kind) matches(path string) (id string, is bool) {
	pattern := k.path
	for pattern != "" && path != "" {
		want, restOfPattern, _ := strings.Cut(pattern[1:], "/")
		got, restOfPath, _ := strings.Cut(path[1:], "/")
		switch {
		case want != idPart && want != got, want == idPart && !isNumber(got):
			return "", false
		case want == idPart && id == "":
			id = got
		}
		pattern, path = slashed(restOfPattern), slashed(restOfPath)
	}
	return id, pattern == path
}

func slashed(rest string) string {
	if rest == "" {
		return ""
	}
	return "/" + rest
}

func isNumber(s string) bool {
	return s != "" && len(s) <= longestID && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// at is the path of the page about a number.
func (k *kind) at(id string) string { return strings.Replace(k.path, idPart, id, 1) }

// asks are the addresses of the operations.
func (k *kind) asks(id string) []string {
	list := make([]string, len(k.ask))
	for i, address := range k.ask {
		list[i] = strings.ReplaceAll(address, idPart, id)
	}
	return list
}
