package contract

import "shop.internal/pkg/domain/address"

// Address is the common part of a delivery address. Province, city and county are names.
type Address struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	UserID        int64  `json:"userId" show:"of=user"`
	Province      string `json:"province"`
	City          string `json:"city"`
	County        string `json:"county"`
	AddressDetail string `json:"addressDetail"`
	AreaCode      string `json:"areaCode"`
}

// AddressOf renders the common part of a delivery address.
func AddressOf(a address.Address) Address {
	return Address{
		ID: a.ID, Name: a.Name, UserID: a.Shopper, Province: a.Province, City: a.City, County: a.County,
		AddressDetail: a.Detail, AreaCode: a.AreaCode,
	}
}
