package account

import (
	"context"
	"database/sql"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

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
