package demo

import (
	_ "embed" // the texts of the demo shop
	"fmt"
	"strconv"
	"strings"

	"shop.internal/pkg/base/money"
)

//go:embed data/categories.txt
var categoriesText string

//go:embed data/brands.txt
var brandsText string

//go:embed data/goods.txt
var goodsText string

// table parses lines with columns separated by bars; lines that begin with # are comments.
func table(text string, columns int) ([][]string, error) {
	var rows [][]string
	for n, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != columns {
			return nil, fmt.Errorf("line %d has %d columns, not %d", n+1, len(fields), columns)
		}
		for i := range fields {
			fields[i] = strings.TrimRight(fields[i], " ")
			if i > 0 {
				fields[i] = strings.TrimSpace(fields[i])
			}
		}
		rows = append(rows, fields)
	}
	return rows, nil
}

type category struct{ name, parent, picture, slogan string }

// categories returns the first level, then the second.
func categories() ([]category, error) {
	rows, err := table(categoriesText, 3)
	if err != nil {
		return nil, fmt.Errorf("read the categories: %w", err)
	}
	var first, second []category
	for _, r := range rows {
		if name, inner := strings.CutPrefix(r[0], "  "); inner {
			second = append(second, category{name, first[len(first)-1].name, r[1], r[2]})
		} else {
			first = append(first, category{name, "", r[1], r[2]})
		}
	}
	return append(first, second...), nil
}

type brand struct{ name, picture, text string }

func brands() ([]brand, error) {
	rows, err := table(brandsText, 3)
	if err != nil {
		return nil, fmt.Errorf("read the makers: %w", err)
	}
	list := make([]brand, len(rows))
	for i, r := range rows {
		list[i] = brand{r[0], r[1], r[2]}
	}
	return list, nil
}

// plenty is the default stock of a product.
const plenty = 5000

type ware struct {
	category, brand, name, picture string
	price                          money.Amount
	isNew, isHot                   bool
	options                        []option
	stocks                         []int
	keywords, text                 string
	// colours is the number of earlier goods that show the same thing.
	colours int
}

type option struct {
	name   string
	values []string
}

func wares() ([]ware, error) {
	rows, err := table(goodsText, 10)
	if err != nil {
		return nil, fmt.Errorf("read the goods: %w", err)
	}
	list, shown := make([]ware, len(rows)), map[string]int{}
	for i, r := range rows {
		price, err := money.Parse(r[4])
		if err != nil {
			return nil, fmt.Errorf("price of %s: %w", r[2], err)
		}
		list[i] = ware{
			category: r[0], brand: r[1], name: r[2], picture: r[3], price: price, isNew: strings.Contains(r[5], "n"),
			isHot: strings.Contains(r[5], "h"), keywords: r[8], text: r[9],
			colours: shown[r[3]],
		}
		shown[r[3]]++
		for _, group := range strings.Split(r[6], ";") {
			name, values, _ := strings.Cut(group, ":")
			list[i].options = append(list[i].options, option{name, strings.Split(values, ",")})
		}
		for _, stock := range strings.FieldsFunc(r[7], func(c rune) bool { return c == ',' }) {
			n, err := strconv.Atoi(stock)
			if err != nil {
				return nil, fmt.Errorf("stock of %s: %w", r[2], err)
			}
			list[i].stocks = append(list[i].stocks, n)
		}
	}
	return list, nil
}
