package account

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Status is whether an account may be used.
type Status int

// The states of an account. Only a usable one may log in and use its tokens.
const (
	Usable Status = iota
	Disabled
	Closed
)

// Member is an account as operators see it, without its secrets and its identity at the app platform.
type Member struct {
	ID       int64
	Username string
	Gender   int
	// Birthday is a date in UTC, zero if unknown; LastLogin is zero if there was none.
	Birthday    time.Time `gorm:"type:date" table:"null"`
	LastLogin   time.Time `gorm:"column:last_login_time" table:"null"`
	LastAddress string    `gorm:"column:last_login_ip"`
	// Level is 0 ordinary, 1 VIP, 2 senior VIP.
	Level    int `gorm:"column:user_level"`
	Nickname string
	// Mobile is empty if there is none.
	Mobile              string `table:"null"`
	Avatar              string
	Status              Status
	AddTime, UpdateTime time.Time
}

var members = table.Part[Member](accounts)

// MemberFilter filters accounts. The zero filter matches all of them.
type MemberFilter struct {
	// Username is a part of the name, Mobile the whole number.
	Username, Mobile string
}

// list is the query of a page of members and of their export.
func (f MemberFilter) list() *lists.Query {
	l := lists.Of(members).Contains("username", f.Username)
	if f.Mobile != "" {
		l.Where("i.mobile = ? AND i.del_mark = 0", f.Mobile)
	}
	return l
}

// Members lists the accounts. Sort is add_time or id.
func (s *Service) Members(ctx context.Context, f MemberFilter, q page.Query) (page.List[Member], error) {
	found, err := lists.Fetch[Member](ctx, s.lists, f.list(), q)
	if err != nil {
		return page.List[Member]{}, fmt.Errorf("list the accounts: %w", err)
	}
	return page.Map(found, s.shown), nil
}

// EachMember passes all accounts of a filter to yield, newest first, in batches.
func (s *Service) EachMember(ctx context.Context, f MemberFilter, yield func([]Member) error) error {
	return lists.Each(ctx, s.db, f.list(), yield)
}

// Member returns an account in any state. It fails with errno.Invalid for one that is unknown or deleted.
func (s *Service) Member(ctx context.Context, id int64) (Member, error) {
	m, found, err := members.Live(ctx, s.db, id)
	if err != nil {
		return Member{}, fmt.Errorf("read account %d: %w", id, err)
	}
	if !found {
		return Member{}, fmt.Errorf("read account %d: %w", id, errno.NoSuch(text.FieldUser))
	}
	return s.shown(m), nil
}

// Exists reports whether there is an account, in any state, that was not deleted.
func Exists(ctx context.Context, q db.Querier, id int64) (bool, error) {
	found, err := accounts.Exists(ctx, q, "r.id = ? AND r.deleted = 0", id)
	if err != nil {
		return false, fmt.Errorf("look for account %d: %w", id, err)
	}
	return found, nil
}

// shown is the account with the picture to show.
func (s *Service) shown(m Member) Member {
	m.Avatar = s.avatars.Shown(m.Avatar)
	return m
}

// MemberChange is a partial update of an account; nil fields stay unchanged. An empty Mobile removes the number.
type MemberChange struct {
	Nickname, Mobile *string
	Gender, Level    *int
	Status           *Status
}

// ChangeMember changes an account. One that is disabled or closed loses all its tokens at once. It fails with
// errno.Invalid for an invalid value, errno.UpdateFailed for an account that is unknown or deleted,
// errno.UserInvalidMobile for a changed number that is invalid, and errno.UserMobileExists for the number of another
// account.
func (s *Service) ChangeMember(ctx context.Context, id int64, c MemberChange) error {
	if err := c.check(); err != nil {
		return err
	}
	var now Status
	err := idempotency.Do(ctx, s.cfg.Once, func(tx *db.Tx) error {
		before, found, err := members.LockLive(ctx, tx, id)
		if err == nil && !found {
			err = errno.UpdateFailed
		}
		if err != nil {
			return err
		}
		at, err := seen.Next(ctx, "user", id, before.UpdateTime, s.now())
		if err != nil {
			return err
		}
		after := before
		patch.Apply(&after, c)
		if after.Mobile != before.Mobile && after.Mobile != "" && !s.cfg.Country.Mobile(after.Mobile) {
			return errno.UserInvalidMobile
		}
		now = after.Status
		err = saveMember(ctx, tx, before, after, at)
		if db.Duplicate(err, "uk_user_mobile") {
			return errno.UserMobileExists
		}
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: before.edited(), After: after.edited(), Result: before.Username,
		})
	})
	if err != nil {
		return fmt.Errorf("change account %d: %w", id, err)
	}
	if c.Status != nil && now != Usable {
		// Tokens that remain are invalid by the account's version and state, so this is no failure of the change.
		_ = s.tokens.RevokeAll(context.WithoutCancel(ctx), id, "")
	}
	return nil
}

func (c MemberChange) check() error {
	level := Changes{Gender: c.Level}
	if level.check() != nil {
		return errno.Invalid.Because(text.ValidationEnum, text.FieldUserLevel, "0, 1, 2")
	}
	if c.Status != nil && (*c.Status < Usable || *c.Status > Closed) {
		return errno.Invalid.Because(text.ValidationEnum, text.FieldState, "0, 1, 2")
	}
	own := Changes{Gender: c.Gender}
	if c.Nickname != nil {
		own.Nickname = *c.Nickname
	}
	return own.check()
}

// saveMember writes the columns that operators may change of a locked account. One that may no longer be used loses its
// tokens.
func saveMember(ctx context.Context, tx *db.Tx, before, after Member, at time.Time) error {
	set := table.Set{
		"nickname": after.Nickname, "mobile": after.Mobile, "gender": after.Gender, "user_level": after.Level,
		"status": after.Status, "update_time": at,
	}
	if before.Status != after.Status && after.Status != Usable {
		set["token_version"] = nextVersion
	}
	_, err := accounts.Update(ctx, tx, set, "id = ? AND deleted = 0", after.ID)
	return err
}

// edited is what audit records show of an account.
type edited struct {
	Nickname, Mobile  string
	Gender, UserLevel int
	Status            Status
}

func (m Member) edited() edited { return edited{m.Nickname, m.Mobile, m.Gender, m.Level, m.Status} }
