// Package address owns the delivery addresses of shoppers and the administrative divisions. It owns the tables address
// and region. A shopper has at most one default address, which a unique key enforces, and every change is made under
// the lock of the shopper's account, so that changes to one shopper's addresses are serialized.
//
// An order stores its address as text; nothing here changes an order.
package address

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/text"
)

// Address is one delivery address.
type Address struct {
	ID      int64
	Shopper int64 `gorm:"column:user_id"`
	// Name and Tel are those of the recipient.
	Name, Tel string
	// Province, City and County are names, not ids.
	Province, City, County string
	// Detail is the street part.
	Detail string `gorm:"column:address_detail"`
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

const (
	maxAddresses = 100 // addresses of one shopper
	maxDeleted   = 100 // deleted ones before the older half is removed
	maxName      = 63  // characters, also of province, city and county
	maxDetail    = 127 // characters
	maxCodeLen   = 6
)

// check validates an address to store.
func (a Address) check() error {
	for field, t := range map[*text.Field]string{
		text.FieldConsignee: a.Name, text.FieldProvince: a.Province, text.FieldCity: a.City, text.FieldCounty: a.County,
	} {
		if !within(t, 1, maxName) {
			return errno.Invalid.Because(text.ValidationLength, field, 1, maxName)
		}
	}
	switch {
	case !within(a.Detail, 1, maxDetail):
		return errno.Invalid.Because(text.ValidationLength, text.FieldStreetAddress, 1, maxDetail)
	case !form.Mobile(a.Tel):
		return errno.Invalid.Because(text.ValidationMobile, text.FieldMobile)
	case !within(a.AreaCode, 1, maxCodeLen), !digits(a.AreaCode):
		return errno.Invalid.Because(text.ValidationFormat, text.FieldAreaCode)
	case !within(a.PostalCode, 0, maxCodeLen):
		return errno.Invalid.Because(text.ValidationMaxLength, text.FieldPostalCode, maxCodeLen)
	}
	return nil
}

func within(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most
}

func digits(text string) bool { return strings.Trim(text, "0123456789") == "" }
