package auth

import (
	"context"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/kit/op"
)

// Captcha is the body of /wx/auth/captcha. A code is valid for any use of its mobile, so Type only says what the client
// is about to do.
type Captcha struct {
	Mobile string `json:"mobile" check:"required,form=mobile"`
	Type   string `json:"type" check:"required,maxLength=31" doc:"Such as bind-mobile or change-password."`
}

func (h handlers) captcha(ctx context.Context, r Captcha) (op.None, error) {
	return op.None{}, h.Accounts.SendCode(ctx, r.Mobile, op.CallOf(ctx).Address)
}

// Reset is the body of /wx/auth/reset.
type Reset struct {
	Password string `json:"password" check:"required,minLength=6,maxLength=64,maxBytes=72,clean=none"`
	Mobile   string `json:"mobile" check:"required,form=mobile"`
	Code     string `json:"code" check:"required,clean=code" doc:"The code that was sent to the mobile."`
}

func (h handlers) reset(ctx context.Context, r Reset) (op.None, error) {
	return op.None{}, h.Accounts.ResetPassword(ctx, account.PasswordReset{
		Password: r.Password, Mobile: r.Mobile, Code: r.Code,
	})
}

// ResetPhone is the body of /wx/auth/resetPhone.
type ResetPhone struct {
	Password string `json:"password" check:"required,clean=none"`
	Mobile   string `json:"mobile" check:"required,clean=number" doc:"The new mobile."`
	Code     string `json:"code" check:"required,clean=code" doc:"The code that was sent to the new mobile."`
}

func (h handlers) resetPhone(ctx context.Context, r ResetPhone) (op.None, error) {
	return op.None{}, h.Accounts.ChangeMobile(ctx, ID(ctx), account.MobileChange{
		Password: r.Password, Mobile: r.Mobile, Code: r.Code, Token: of(ctx).token, Address: op.CallOf(ctx).Address,
	})
}
