package user

import (
	"context"
	"net/http"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/services/admin/internal/export"
)

// Export is the query of /admin/user/export, with the filter of the list.
type Export struct{ Filter }

func (h handlers) export(ctx context.Context, r Export, w http.ResponseWriter) error {
	file, err := export.Open(ctx, w, export.List{Audit: h.Audit, Filter: r.Filter, Name: "users", Header: []string{
		"id", "username", "nickname", "mobile", "gender", "birthday", "userLevel",
		"status", "lastLoginTime", "lastLoginIp", "avatar", "addTime",
	}})
	if err != nil {
		return err
	}
	err = h.Accounts.EachMember(ctx, r.filter(), func(list []account.Member) error {
		for _, m := range list {
			birthday := ""
			if !m.Birthday.IsZero() {
				birthday = m.Birthday.Format(time.DateOnly)
			}
			err := file.Row(export.Int(m.ID), m.Username, m.Nickname, m.Mobile, export.Int(m.Gender), birthday,
				export.Int(m.Level), export.Int(m.Status), export.Moment(h.Zone, m.LastLogin), m.LastAddress, m.Avatar,
				export.Moment(h.Zone, m.AddTime))
			if err != nil {
				return err
			}
		}
		return file.Flush()
	})
	return file.End(ctx, err)
}
