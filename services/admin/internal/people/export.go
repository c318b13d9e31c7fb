package people

import (
	"context"
	"net/http"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/services/admin/internal/export"
)

// ExportUsers is the query of /admin/user/export, with the filter of the list.
type ExportUsers struct{ UserFilter }

func (h userHandlers) export(ctx context.Context, r ExportUsers, w http.ResponseWriter) error {
	list := export.List{Audit: h.Audit, Filter: r.UserFilter, Name: "users", Currency: "", Header: []string{
		"id", "username", "nickname", "mobile", "gender", "birthday", "userLevel",
		"status", "lastLoginTime", "lastLoginIp", "avatar", "addTime",
	}}
	file, err := export.Open(ctx, w, list)
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
