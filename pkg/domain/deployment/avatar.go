package deployment

import (
	"cmp"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/storage"
)

// SetAvatars puts the pictures of people without one into the configuration of a domain whose StorageBase is set: those
// that are configured, else the program's own under that address.
func (s *Shared) SetAvatars(c *domain.Config) {
	own := func(key string) string {
		if c.StorageBase == "" {
			return ""
		}
		return c.StorageBase + key
	}
	c.Accounts.DefaultAvatar = cmp.Or(s.Shop.ShopperAvatar, own(storage.ShopperPicture))
	c.OperatorAvatar = cmp.Or(s.Shop.OperatorAvatar, own(storage.OperatorPicture))
}
