package contract

import "shop.internal/pkg/domain/address"

// Place is where a parcel goes, as its shopper writes it. Province, city and county are names; outside China there may
// be no county.
type Place struct {
	Province string `json:"province" check:"required,maxLength=63,visible"`
	City     string `json:"city" check:"required,maxLength=63,visible"`
	County   string `json:"county" check:"maxLength=63,visible"`
	Detail   string `json:"addressDetail" check:"required,maxLength=127"`
}

// Address is the common part of a delivery address.
type Address struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	UserID int64  `json:"userId" show:"of=user"`
	Place
	AreaCode string `json:"areaCode"`
}

// AddressOf renders the common part of a delivery address.
func AddressOf(a address.Address) Address {
	return Address{ID: a.ID, Name: a.Name, UserID: a.Shopper, Place: Place(a.Place), AreaCode: a.AreaCode}
}
