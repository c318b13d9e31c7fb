// Package address owns the delivery addresses of shoppers and the administrative divisions. It owns the tables address
// and region. A shopper has at most one default address, which a unique key enforces, and every change is made under
// the lock of the shopper's account, so that changes to one shopper's addresses are serialized.
//
// An order stores its address as text; nothing here changes an order.
package address

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/table"
)

// Place is where a parcel goes, as its shopper has written it: contract.Place has the same fields in the same order.
// The tag most is the most characters of a text; only one that is stored as NULL may be empty.
type Place struct {
	// Province, City and County are names, not ids.
	Province string `most:"63"`
	City     string `most:"63"`
	County   string `most:"63"`
	// Detail is the street part.
	Detail string `gorm:"column:address_detail" most:"127"`
}

// Address is one delivery address.
type Address struct {
	ID      int64
	Shopper int64 `gorm:"column:user_id"`
	// Name and Tel are those of the recipient.
	Name, Tel string
	Place
	// AreaCode is the administrative code, six digits in official data.
	AreaCode string
	// PostalCode may be empty.
	PostalCode string `table:"null"`
	Default    bool   `gorm:"column:is_default"`
	// Added and Changed are in UTC.
	Added   time.Time `gorm:"column:add_time"`
	Changed time.Time `gorm:"column:update_time"`
}

type row struct {
	Address

	// DefaultSlot is 1 for the default address and NULL for every other, so that a unique key allows one default.
	DefaultSlot int `table:"null"`
}

var (
	rows = table.Of[row]("address",
		table.Refers("user_id", "user"),
	)
	addresses = table.Part[Address](rows)
)

func rowOf(a Address) row {
	r := row{Address: a}
	if a.Default {
		r.DefaultSlot = 1
	}
	return r
}

// Full returns the address as one line in the language of the shop, as orders store it. The Chinese line is part of the
// contract, also where a city is its own province.
func (a Address) Full(language string) string {
	if language == text.English {
		return strings.Join(slices.Compact([]string{a.Province, a.City, a.County, a.Detail}), ", ")
	}
	return a.Province + a.City + a.County + " " + a.Detail
}

// Line is Full for the country of the shop: outside China the parts are apart in each language, those that are empty
// are left out, and the postal code is the last one.
func (s *Service) Line(a Address, language string) string {
	if s.country.IsChina() {
		return a.Full(language)
	}
	parts := slices.Compact([]string{a.Province, a.City, a.County, a.Detail, a.PostalCode})
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

const (
	maxAddresses = 100 // addresses of one shopper
	maxDeleted   = 100 // deleted ones before the older half is removed
	maxName      = 63  // characters
	maxCodeLen   = 6
	maxPostal    = 12 // outside China
)

// check validates an address to store, and puts its postal code in the form that is stored.
func (s *Service) check(a *Address) error {
	switch {
	case !within(a.Name, 1, maxName):
		return errno.Invalid.Because(text.ValidationLength, text.FieldConsignee, 1, maxName)
	case !s.country.Mobile(a.Tel):
		return errno.Invalid.Because(s.country.Form("mobile").Refusal, text.FieldMobile)
	case !s.country.IsChina():
		return s.checkAbroad(a)
	case !within(a.AreaCode, 1, maxCodeLen), !digits(a.AreaCode):
		return errno.Invalid.Because(text.ValidationFormat, text.FieldAreaCode)
	case !within(a.PostalCode, 0, maxCodeLen):
		return errno.Invalid.Because(text.ValidationMaxLength, text.FieldPostalCode, maxCodeLen)
	}
	return a.check(1)
}

// checkAbroad checks what differs outside China: no list has the county and the code of the area, which may be empty.
func (s *Service) checkAbroad(a *Address) error {
	if !within(a.AreaCode, 0, maxCodeLen) {
		return errno.Invalid.Because(text.ValidationMaxLength, text.FieldAreaCode, maxCodeLen)
	}
	code, ok := s.country.PostalCode(a.PostalCode)
	if code != "" && (!ok || !within(code, 0, maxPostal)) {
		return errno.Invalid.Because(text.ValidationFormat, text.FieldPostalCode)
	}
	a.PostalCode = code
	return a.check(0)
}

// check fails for a text that is too long, or empty and may not be. county is the least length of the county.
func (p Place) check(county int) error {
	fields, values := reflect.TypeFor[Place](), reflect.ValueOf(p)
	for i := range fields.NumField() {
		tag, least := fields.Field(i).Tag, 1
		if tag.Get("table") == "null" {
			least = 0
		}
		if fields.Field(i).Name == "County" {
			least = county
		}
		most, err := strconv.Atoi(tag.Get("most"))
		if err != nil {
			return fmt.Errorf("the bound of %s: %w", fields.Field(i).Name, err)
		}
		if !within(values.Field(i).String(), least, most) {
			return errno.Invalid.Because(text.ValidationLength, text.FieldAddress, least, most)
		}
	}
	return nil
}

func within(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most
}

func digits(text string) bool { return strings.Trim(text, "0123456789") == "" }
