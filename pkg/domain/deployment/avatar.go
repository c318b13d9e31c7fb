package deployment

import (
	"cmp"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/storage"
)

// SetAvatars sets the default avatars in a configuration whose StorageBase is set: the configured ones, else the
// built-in ones under that address.
func (s *Shared) SetAvatars(c *app.Config) {
	own := func(key string) string {
		if c.StorageBase == "" {
			return ""
		}
		return c.StorageBase + key
	}
	c.Accounts.DefaultAvatar = cmp.Or(s.Shop.ShopperAvatar, own(storage.ShopperPicture))
	c.OperatorAvatar = cmp.Or(s.Shop.OperatorAvatar, own(storage.OperatorPicture))
}
