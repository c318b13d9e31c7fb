package auth

import (
	"context"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/kit/op"
)

// AppLogin is the body of /wx/auth/login_by_weixin.
type AppLogin struct {
	Code     string  `json:"code" label:"wxCode" check:"required,clean=none" doc:"The one-time code of the app platform."`
	UserInfo AppUser `json:"userInfo" check:"required" doc:"What the app knows of its user; used for a first login."`
}

// AppUser is truncated to what an account can store, not refused.
type AppUser struct {
	NickName  string `json:"nickName"`
	AvatarURL string `json:"avatarUrl"`
	Gender    int    `json:"gender" doc:"0 unknown, 1 male, 2 female; others count as 0."`
}

// AppEntry is the answer to a login by the app platform.
type AppEntry struct {
	UserInfo AppUserInfo `json:"userInfo"`
	Token    string      `json:"token" doc:"Goes with every further call."`
}

// AppUserInfo is the shopper's account.
type AppUserInfo struct {
	UserInfo
	Gender int `json:"gender"`
}

func (h handlers) loginByApp(ctx context.Context, r AppLogin) (AppEntry, error) {
	e, err := h.Accounts.LoginByApp(ctx, account.AppLogin{
		Code: r.Code, Nickname: r.UserInfo.NickName, Avatar: r.UserInfo.AvatarURL, Gender: r.UserInfo.Gender,
		Address: op.CallOf(ctx).Address,
	})
	v := entryView(e)
	return AppEntry{UserInfo: AppUserInfo{UserInfo: v.UserInfo, Gender: e.Gender}, Token: v.Token}, err
}

// BindPhone is the body of /wx/auth/bindPhone, as produced by the app platform.
type BindPhone struct {
	IV            string `json:"iv" check:"required,clean=none"`
	EncryptedData string `json:"encryptedData" check:"required,clean=none"`
}

func (h handlers) bindPhone(ctx context.Context, r BindPhone) (op.None, error) {
	return op.None{}, h.Accounts.BindMobile(ctx, ID(ctx), account.EncryptedMobile{
		IV: r.IV, Data: r.EncryptedData, Token: of(ctx).token,
	})
}
