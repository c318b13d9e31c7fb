package account

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
)

// Changes is a partial update of a profile; empty or nil fields stay unchanged.
type Changes struct {
	Nickname, Avatar string
	Gender           *int
}

func (c Changes) check() error {
	switch {
	case utf8.RuneCountInString(c.Nickname) > maxNickname:
		return errno.Invalid.Because(text.ValidationMaxLength, text.FieldNickname, maxNickname)
	case !form.Visible(c.Nickname):
		return errno.Invalid.Because(text.ValidationPrintable, text.FieldNickname)
	case c.Avatar != "" && !form.Web(c.Avatar):
		return errno.Invalid.Because(text.ValidationURL, text.FieldAvatar)
	case c.Gender != nil && (*c.Gender < 0 || *c.Gender > 2):
		return errno.Invalid.Because(text.ValidationEnum, text.FieldGender, "0, 1, 2")
	}
	return nil
}

// set returns the columns that the changes write.
func (c Changes) set(at time.Time) table.Set {
	set := table.Set{"update_time": at}
	if c.Nickname != "" {
		set["nickname"] = c.Nickname
	}
	if c.Avatar != "" {
		set["avatar"] = c.Avatar
	}
	if c.Gender != nil {
		set["gender"] = *c.Gender
	}
	return set
}

// Info returns the shopper's own account. It fails with errno.LoginRequired for one that may not be used.
func (s *Service) Info(ctx context.Context, id int64) (Profile, error) {
	p, found, err := profiles.One(ctx, s.db, byID, id, Usable)
	if err != nil {
		return Profile{}, fmt.Errorf("read shopper %d: %w", id, err)
	}
	if !found {
		return Profile{}, fmt.Errorf("read shopper %d: %w", id, errno.LoginRequired)
	}
	p.Avatar = s.avatars.Shown(p.Avatar)
	return p, nil
}

// SaveProfile changes the given fields of the shopper's own profile. It fails with errno.Invalid for an invalid value
// and with errno.LoginRequired for an account that may not be used.
func (s *Service) SaveProfile(ctx context.Context, id int64, c Changes) error {
	if err := c.check(); err != nil {
		return err
	}
	c.Avatar = s.avatars.Stored(c.Avatar)
	if c == (Changes{}) {
		return nil
	}
	var changed bool
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		changed, err = accounts.Moved(ctx, tx, c.set(s.now()), "id = ? AND status = ? AND deleted = 0", id, Usable)
		if err != nil || !changed {
			return err
		}
		return upload.Use(ctx, tx, c.Avatar)
	})
	if err != nil {
		return fmt.Errorf("save the profile of shopper %d: %w", id, err)
	}
	if !changed {
		return fmt.Errorf("save the profile of shopper %d: %w", id, errno.LoginRequired)
	}
	return nil
}
