package main

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
)

// files asks for lists as files: a byte order mark, a header, and what the filter leaves.
func (w *walk) files(s *step) {
	for _, path := range []string{
		"/admin/goods/export", "/admin/order/export", "/admin/user/export", "/admin/coupon/export",
	} {
		s.send(w.nobody, call{method: "GET", path: path}).fails(501)
	}
	rows := s.rows("/admin/goods/export", "goodsId", w.tour.goods)
	equal(s, s.last, "rows of goods with two products, and the header", 3, len(rows))
	equal(s, s.last, "orders of a shopper whom nobody is, and the header", 1,
		len(s.rows("/admin/order/export", "orderSn", "no such number")))
	equal(s, s.last, "users of a name that nobody has, and the header", 1,
		len(s.rows("/admin/user/export", "username", "no such name")))
	equal(s, s.last, "some orders", true, len(s.rows("/admin/order/export")) > 1)
}

// rows reads a file.
func (s *step) rows(path string, query ...any) [][]string {
	text, marked := bytes.CutPrefix(s.file(path, query...), []byte("\xef\xbb\xbf"))
	equal(s, s.last, "the file begins with a byte order mark", true, marked)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		s.fatalf(s.last, "reading the file: %v", err)
	}
	return rows
}

// sheet tries a file of goods with a line that is wrong, and then takes one without.
func (w *walk) sheet(s *step) {
	file := s.rows("/admin/goods/export", "goodsId", w.tour.goods)
	column := func(name string) int { return slices.Index(file[0], name) }
	good := slices.Clone(file[1])
	good[column("name")], good[column("goodsSn")] = w.mark("walk sheet "), w.mark("S")
	bad := slices.Clone(good)
	bad[column("name")], bad[column("price")] = w.mark("walk wrong "), "dear"
	form := func(path string, rows ...[]string) call {
		var b strings.Builder
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			s.fatalf(nil, "writing the file: %v", err)
		}
		c := s.form("file", "goods.csv", "text/csv", []byte(b.String()))
		c.path = path
		return c
	}
	check, take := "/admin/goods/import/check", "/admin/goods/import"
	tried := s.send(w.super, form(check, file[0], good, bad)).ok().shape("goods int, products int, faults list")
	faults := tried.at("faults").each("line int, column text, reason text")
	if len(faults) != 1 || faults[0].at("line").integer() != 3 || faults[0].at("column").text() != "price" {
		s.failf(tried.ex, "faults: expected one, in line 3, about the price")
	}
	s.send(w.super, form(take, file[0], good, bad)).fails(402)
	name := good[column("name")]
	none := s.get(w.super, "/admin/goods/list", "name", name).page()
	equal(s, none.ex, "goods of a file that was refused", 0, len(none.list))
	equal(s, s.last, "goods taken", 1, s.send(w.super, form(take, file[0], good)).ok().at("goods").integer())
	list := s.get(w.super, "/admin/goods/list", "name", name).page()
	for _, row := range list.each(staffGoods) {
		s.later("/admin/goods/delete", fields{"id": row.at("id").integer()})
	}
	equal(s, list.ex, "goods of the file", 1, len(list.list))
	s.send(w.super, form(take, file[0], good)).fails(611)
	for _, row := range list.list {
		s.post(w.super, "/admin/goods/delete", fields{"id": row.at("id").integer()}).none()
	}
}

// file asks for a file of rows, and gives its bytes.
func (s *step) file(path string, query ...any) []byte {
	ex := s.raw(s.w.super, call{method: http.MethodGet, path: path, query: query})
	equal(s, ex, "HTTP status of a file", http.StatusOK, ex.status)
	equal(s, ex, "Content-Type of a file", "text/csv; charset=utf-8", ex.header.Get("Content-Type"))
	if ex.header.Get("Content-Disposition") == "" {
		s.failf(ex, "Content-Disposition: expected a name for the file, got none")
	}
	return ex.got
}
