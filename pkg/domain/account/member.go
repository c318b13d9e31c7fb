package account

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/text"
)

// Status says what an account may do.
type Status int

// The states of an account. Only a usable one may log in and use its tokens.
const (
	Usable Status = iota
	Disabled
	Closed
)

// Member is an account as operators see it: no secret of it, nor its identity at the app platform.
type Member struct {
	ID       int64
	Username string
	Gender   int
	// Birthday is a day of UTC, zero where it is not known; LastLogin is zero where there was none.
	Birthday, LastLogin time.Time
	LastAddress         string
	// Level is 0 ordinary, 1 VIP, 2 senior VIP.
	Level    int
	Nickname string
	// Mobile is empty where there is none.
	Mobile, Avatar      string
	Status              Status
	AddTime, UpdateTime time.Time
}

// MemberFilter chooses members. The zero filter is all of them.
type MemberFilter struct {
	// Username is a part of the name, Mobile the whole number.
	Username, Mobile string
}

// Members lists the accounts. Sort is add_time or id.
func (s *Service) Members(ctx context.Context, f MemberFilter, q page.Query) (page.List[Member], error) {
	list := listing.Of("user", memberColumns).Contains("username", f.Username)
	if f.Mobile != "" {
		list.Where("i.mobile = ? AND i.del_mark = 0", f.Mobile)
	}
	found, err := listing.Fetch[memberRow](ctx, s.db, list, q)
	if err != nil {
		return page.List[Member]{}, fmt.Errorf("list the accounts: %w", err)
	}
	return page.Map(found, func(r memberRow) Member { return s.shown(r.member()) }), nil
}

// Member returns one account, whatever its state. It fails with errno.Invalid for one that is unknown or deleted.
func (s *Service) Member(ctx context.Context, id int64) (Member, error) {
	m, found, err := findMember(ctx, s.db, id, "")
	if err != nil {
		return Member{}, fmt.Errorf("read account %d: %w", id, err)
	}
	if !found {
		return Member{}, fmt.Errorf("read account %d: %w", id, errno.NoSuch("userId"))
	}
	return s.shown(m), nil
}

// shown is the account with the picture to show for it.
func (s *Service) shown(m Member) Member {
	m.Avatar = s.avatars.Shown(m.Avatar)
	return m
}

// MemberChange is what an operator may change of an account; nil stays as it is. An empty Mobile takes the number away.
type MemberChange struct {
	ID               int64
	Nickname, Mobile *string
	Gender, Level    *int
	Status           *Status
}

// ChangeMember changes an account. One that is disabled or closed loses all its tokens at once. It fails with
// errno.Invalid for a value outside the rules, errno.UpdateFailed for an account that is unknown or deleted,
// errno.UserInvalidMobile for another text than the account has that is no mobile number, and errno.UserMobileExists
// for the number of another account.
func (s *Service) ChangeMember(ctx context.Context, c MemberChange) error {
	if err := c.check(); err != nil {
		return err
	}
	var now Status
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		before, found, err := findMember(ctx, tx, c.ID, " FOR UPDATE")
		if err == nil && !found {
			err = errno.UpdateFailed
		}
		if err != nil {
			return err
		}
		after, err := c.apply(before)
		if err != nil {
			return err
		}
		now = after.Status
		err = saveMember(ctx, tx, after, before.Status != after.Status && after.Status != Usable, s.now())
		if db.Duplicate(err, "uk_user_mobile") {
			return errno.UserMobileExists
		}
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: c.ID, Before: before.edited(), After: after.edited(), Result: before.Username,
		})
	})
	if err != nil {
		return fmt.Errorf("change account %d: %w", c.ID, err)
	}
	if c.Status != nil && now != Usable {
		// What stays here is refused by its version and by the state of the account; so it is no failure of the change.
		_ = s.tokens.RevokeAll(context.WithoutCancel(ctx), c.ID, "")
	}
	return nil
}

func (c MemberChange) check() error {
	level := Changes{Gender: c.Level}
	if level.check() != nil {
		return errno.Invalid.Because(text.MemberOneOf, text.Member("userLevel"), "0, 1, 2")
	}
	if c.Status != nil && (*c.Status < Usable || *c.Status > Closed) {
		return errno.Invalid.Because(text.MemberOneOf, text.Member("status"), "0, 1, 2")
	}
	own := Changes{Gender: c.Gender}
	if c.Nickname != nil {
		own.Nickname = *c.Nickname
	}
	return own.check()
}

// apply returns the account as it is to be.
func (c MemberChange) apply(m Member) (Member, error) {
	if c.Mobile != nil && *c.Mobile != m.Mobile {
		if *c.Mobile != "" && !isMobile(*c.Mobile) {
			return m, errno.UserInvalidMobile
		}
		m.Mobile = *c.Mobile
	}
	set(&m.Nickname, c.Nickname)
	set(&m.Gender, c.Gender)
	set(&m.Level, c.Level)
	set(&m.Status, c.Status)
	return m, nil
}

func set[T any](into, value *T) {
	if value != nil {
		*into = *value
	}
}

// edited is what the record of a change shows of an account.
type edited struct {
	Nickname, Mobile  string
	Gender, UserLevel int
	Status            Status
}

func (m Member) edited() edited { return edited{m.Nickname, m.Mobile, m.Gender, m.Level, m.Status} }

// EachMember hands over all accounts that a filter chooses, newest first, a batch at a time.
func (s *Service) EachMember(ctx context.Context, f MemberFilter, yield func([]Member) error) error {
	list := listing.Of("user", memberColumns).Contains("username", f.Username)
	if f.Mobile != "" {
		list.Where("i.mobile = ? AND i.del_mark = 0", f.Mobile)
	}
	return listing.Each(ctx, s.db, list, func(rows []memberRow) error {
		all := make([]Member, len(rows))
		for i, r := range rows {
			all[i] = r.member()
		}
		return yield(all)
	})
}

// memberColumns are all that operators see of an account, with the alias r.
const memberColumns = "r.id, r.username, r.gender, r.birthday, r.last_login_time, r.last_login_ip, r.user_level, " +
	"r.nickname, r.mobile, r.avatar, r.status, r.add_time, r.update_time"

type memberRow struct {
	ID            int64
	Username      string
	Gender        int
	Birthday      sql.NullTime
	LastLoginTime sql.NullTime
	LastLoginIP   string
	UserLevel     int
	Nickname      string
	Mobile        sql.NullString
	Avatar        string
	Status        int
	AddTime       time.Time
	UpdateTime    time.Time
}

func (r memberRow) member() Member {
	return Member{
		ID: r.ID, Username: r.Username, Gender: r.Gender, Birthday: r.Birthday.Time, LastLogin: r.LastLoginTime.Time,
		LastAddress: r.LastLoginIP, Level: r.UserLevel, Nickname: r.Nickname, Mobile: r.Mobile.String, Avatar: r.Avatar,
		Status: Status(r.Status), AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
}

// findMember reads an account; lock is "" or " FOR UPDATE".
func findMember(ctx context.Context, q db.Querier, id int64, lock string) (Member, bool, error) {
	var rows []memberRow
	err := q.G(ctx).Raw("SELECT "+memberColumns+" FROM user r WHERE r.id = ? AND r.deleted = 0"+lock, id).
		Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Member{}, false, err
	}
	return rows[0].member(), true, nil
}

// saveMember writes what operators may change of an account that its caller has locked, and nothing else.
func saveMember(ctx context.Context, tx *db.Tx, m Member, endTokens bool, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE user SET nickname = ?, mobile = NULLIF(?, ''), gender = ?, user_level = ?, status = ?, "+
		"token_version = token_version + ?, update_time = ?, version = version + 1 WHERE id = ? AND deleted = 0",
		m.Nickname, m.Mobile, m.Gender, m.Level, int(m.Status), endTokens, at, m.ID).Error
}
