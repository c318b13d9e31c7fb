package auth

import (
	"context"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// Deps are what the operations need.
type Deps struct {
	Accounts *account.Service
}

type handlers struct{ Deps }

// Ops declares the operations on a shopper's own account.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return append(h.entries(), h.own()...)
}

// entries are login and registration.
func (h handlers) entries() []op.Op {
	return []op.Op{
		op.Write[Login, Entry]{
			Path: "/wx/auth/login", Title: "Log in", Access: op.Public,
			Fails:     []*errno.Code{errno.AuthInvalidAccount},
			Passwords: true, Budget: 3, Do: h.login,
		},
		op.Write[AppLogin, AppEntry]{
			Path: "/wx/auth/login_by_weixin", Title: "Log in by the app platform", Access: op.Public,
			Fails:  []*errno.Code{errno.NotSupported, errno.AuthOpenIDUnaccess, errno.AuthInvalidAccount},
			Budget: 10,
			Do:     h.loginByApp,
		},
		op.Write[Register, Entry]{
			Path: "/wx/auth/register", Title: "Open an account and log in", Access: op.Public,
			Fails: []*errno.Code{
				errno.AuthInvalidMobile, errno.AuthCaptchaUnsupported, errno.AuthCaptchaUnmatched, errno.AuthNameRegistered,
				errno.AuthMobileRegistered, errno.NotSupported, errno.AuthOpenIDUnaccess, errno.AuthOpenIDBound,
			},
			IdempotencyScope: "auth.register", Passwords: true, Budget: 11, Do: h.register,
		},
		op.Write[RegCaptcha, op.None]{
			Path: "/wx/auth/regCaptcha", Title: "Send a verification code to a mobile", Access: op.Public,
			Fails:  []*errno.Code{errno.AuthCaptchaUnsupported, errno.AuthCaptchaFrequency},
			Budget: 1,
			Do:     h.regCaptcha,
		},
		op.Write[Reset, op.None]{
			Path: "/wx/auth/reset", Title: "Set a new password by a verification code", Access: op.Public,
			Fails: []*errno.Code{
				errno.AuthCaptchaUnsupported, errno.AuthCaptchaUnmatched, errno.AuthMobileUnregistered,
			},
			IdempotencyScope: "auth.reset", Passwords: true, Budget: 2, Do: h.reset,
		},
	}
}

// own are the operations of a logged-in shopper.
func (h handlers) own() []op.Op {
	return []op.Op{
		op.Write[Captcha, op.None]{
			Path: "/wx/auth/captcha", Title: "Send a verification code for a change of one's account", Access: op.SignedIn,
			Fails:  []*errno.Code{errno.AuthCaptchaUnsupported, errno.AuthCaptchaFrequency},
			Budget: 2,
			Do:     h.captcha,
		},
		op.Write[ResetPhone, op.None]{
			Path: "/wx/auth/resetPhone", Title: "Change one's mobile", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.AuthInvalidMobile, errno.AuthInvalidAccount, errno.AuthCaptchaUnsupported, errno.AuthCaptchaUnmatched,
				errno.AuthMobileRegistered, errno.Stale,
			},
			IdempotencyScope: "auth.resetPhone", Passwords: true, Budget: 3, Do: h.resetPhone,
		},
		op.Write[BindPhone, op.None]{
			Path: "/wx/auth/bindPhone", Title: "Bind the mobile that the app platform vouches for", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.NotSupported, errno.AuthOpenIDUnaccess, errno.AuthInvalidMobile, errno.AuthMobileRegistered, errno.Stale,
			},
			Budget: 3,
			Do:     h.bindPhone,
		},
		op.Write[op.None, op.None]{
			Path: "/wx/auth/logout", Title: "Log out", Access: op.SignedIn, Budget: 1, Do: h.logout,
		},
		op.Read[op.None, Info]{
			Path: "/wx/auth/info", Title: "Read one's own account", Access: op.SignedIn, Budget: 2, Do: h.info,
		},
		op.Write[Profile, op.None]{
			Path: "/wx/auth/profile", Title: "Change one's own profile", Access: op.SignedIn, Budget: 2, Do: h.profile,
		},
	}
}

// Entry is the answer to a login and to a registration.
type Entry struct {
	UserInfo UserInfo `json:"userInfo"`
	Token    string   `json:"token"`
}

// UserInfo is the shopper's name and picture.
type UserInfo struct {
	NickName  string    `json:"nickName"`
	AvatarURL wire.Link `json:"avatarUrl"`
}

func entryView(e account.Entry) Entry {
	return Entry{UserInfo: UserInfo{NickName: e.Name(), AvatarURL: wire.Link(e.Avatar)}, Token: e.Token}
}

// Login is the body of /wx/auth/login. Some clients send the account as mobile or email, by its form.
type Login struct {
	Username string `json:"username" check:"alias=email,blank" doc:"Login name or mobile; absent where mobile is given."`
	Password string `json:"password" check:"required,clean=none"`
	Mobile   string `json:"mobile" check:"blank,clean=number" doc:"Mobile, in place of username."`
}

func (h handlers) login(ctx context.Context, r Login) (Entry, error) {
	if r.Username == "" && r.Mobile == "" {
		return Entry{}, errno.Missing.About(text.FieldUsername)
	}
	e, err := h.Accounts.Login(ctx, account.Credentials{
		Username: r.Username, Mobile: r.Mobile, Password: r.Password, Address: op.CallOf(ctx).Address,
	})
	return entryView(e), err
}

// Register is the body of /wx/auth/register.
type Register struct {
	Username string `json:"username" check:"required,visible"`
	Password string `json:"password" check:"required,minLength=6,maxLength=64,maxBytes=72,clean=none"`
	Mobile   string `json:"mobile" check:"required,clean=number"`
	Code     string `json:"code" check:"required,clean=code" doc:"The code that was sent to the mobile."`
	WxCode   string `json:"wxCode" check:"blank,clean=none" doc:"Login code of the app platform."`
}

func (h handlers) register(ctx context.Context, r Register) (Entry, error) {
	e, err := h.Accounts.Register(ctx, account.Registration{
		Username: r.Username, Password: r.Password, Mobile: r.Mobile, Code: r.Code, AppCode: r.WxCode,
		Address: op.CallOf(ctx).Address,
	})
	return entryView(e), err
}

// RegCaptcha is the body of /wx/auth/regCaptcha.
type RegCaptcha struct {
	Mobile string `json:"mobile" check:"required,form=mobile"`
}

func (h handlers) regCaptcha(ctx context.Context, r RegCaptcha) (op.None, error) {
	return op.None{}, h.Accounts.SendCode(ctx, r.Mobile, op.CallOf(ctx).Address)
}

func (h handlers) logout(ctx context.Context, _ op.None) (op.None, error) {
	return op.None{}, h.Accounts.Logout(ctx, of(ctx).token)
}

// Info is the shopper's own account.
type Info struct {
	Gender   int       `json:"gender"`
	NickName string    `json:"nickName"`
	Mobile   string    `json:"mobile"`
	Avatar   wire.Link `json:"avatar"`
}

func (h handlers) info(ctx context.Context, _ op.None) (Info, error) {
	p, err := h.Accounts.Info(ctx, ID(ctx))
	return Info{Gender: p.Gender, NickName: p.Nickname, Mobile: p.Mobile, Avatar: wire.Link(p.Avatar)}, err
}

// Profile is the body of /wx/auth/profile; absent and blank members stay unchanged.
type Profile struct {
	NickName string `json:"nickName" check:"alias=nickname,blank,maxLength=63,visible"`
	Avatar   string `json:"avatar" check:"blank,url"`
	Gender   *int   `json:"gender" check:"enum=0|1|2" doc:"0 unknown, 1 male, 2 female."`
}

func (h handlers) profile(ctx context.Context, r Profile) (op.None, error) {
	c := account.Changes{Nickname: r.NickName, Avatar: r.Avatar, Gender: r.Gender}
	return op.None{}, h.Accounts.SaveProfile(ctx, ID(ctx), c)
}
