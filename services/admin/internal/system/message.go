package system

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

func (h settingHandlers) messageOps() []op.Op {
	return []op.Op{
		op.Read[op.None, Messages]{
			Path: "/admin/message/read", Title: "Show which messages the shop sends",
			Access: op.Permit("admin:message:read", menu.MessageConfig(), menu.Detail()), Budget: 1, Do: h.sends,
		},
		op.Write[TestMessage, op.None]{
			Path: "/admin/message/test", Title: "Send a test message, at most five in ten minutes",
			Access: op.Permit("admin:message:test", menu.MessageConfig(), menu.Button("send-a-test")),
			Fails:  []*errno.Code{errno.NotSupported, errno.Stale},
			Audit:  op.Audit{Target: "system_config", Action: text.ForAction("message-test")}, Budget: 4, Do: h.test,
		},
	}
}

// Messages are the kinds of messages that the shop has a sender for.
type Messages struct {
	SMS  bool `json:"sms" doc:"Text messages to shoppers: codes, payments, parcels, refunds."`
	Mail bool `json:"mail" doc:"Mails to operators: new orders, refunds to decide, alarms."`
}

func (h settingHandlers) sends(context.Context, op.None) (Messages, error) {
	return Messages{SMS: h.Trials.Sends(notify.ByPhone), Mail: h.Trials.Sends(notify.ByMail)}, nil
}

// TestMessage is the body of /admin/message/test.
type TestMessage struct {
	Channel   string `json:"channel" check:"required,enum=sms|mail" show:"one=message-channel"`
	Recipient string `json:"recipient" check:"required,maxLength=254" doc:"A number of a telephone, or a mail address."`
}

func (h settingHandlers) test(ctx context.Context, r TestMessage) (op.None, error) {
	kind := notify.ByPhone
	if r.Channel == "mail" {
		kind = notify.ByMail
	}
	return op.None{}, h.Trials.Send(ctx, auth.Actor(ctx).ID, kind, r.Recipient)
}
