package system

import (
	"context"
	"slices"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/menu"
)

type settingHandlers struct{ Deps }

// settingOps declares reading and changing each group of settings. Older programs stored these permissions with four
// parts.
func settingOps(d Deps) []op.Op {
	h := settingHandlers{d}
	return slices.Concat(
		settingGroup(h.Settings, settings.Mall, "/admin/config/mall", "the shop's own data",
			op.Permit("admin:config:mall-list", menu.MallConfig(), menu.Detail()).WithAlias("admin:config:mall:list"),
			op.Permit("admin:config:mall-update", menu.MallConfig(), menu.Edit()).WithAlias("admin:config:mall:updateConfigs")),
		settingGroup(h.Settings, settings.Express, "/admin/config/express", "freight",
			op.Permit("admin:config:express-list", menu.FreightConfig(), menu.Detail()).WithAlias("admin:config:express:list"),
			op.Permit("admin:config:express-update", menu.FreightConfig(), menu.Edit()).
				WithAlias("admin:config:express:updateConfigs")),
		settingGroup(h.Settings, settings.Order, "/admin/config/order", "the times that orders are given",
			op.Permit("admin:config:order-list", menu.OrderConfig(), menu.Detail()).WithAlias("admin:config:order:list"),
			op.Permit("admin:config:order-update", menu.OrderConfig(), menu.Edit()).
				WithAlias("admin:config:order:updateConfigs")),
		settingGroup(h.Settings, settings.App, "/admin/config/wx", "the mini program",
			op.Permit("admin:config:wx-list", menu.AppConfig(), menu.Detail()).WithAlias("admin:config:wx:list"),
			op.Permit("admin:config:wx-update", menu.AppConfig(), menu.Edit()).WithAlias("admin:config:wx:updateConfigs")),
		[]op.Op{h.usageOp()},
		h.channelOps(),
		h.messageOps(),
	)
}

// settingGroup declares the two operations on a group.
func settingGroup(s *settings.Service, g settings.Group, path, what string, see, change op.Access) []op.Op {
	return []op.Op{
		op.Read[op.None, map[string]string]{
			Path: path, Title: "Show the settings: " + what, Access: see, Budget: 2,
			Do: func(ctx context.Context, _ op.None) (map[string]string, error) { return s.Texts(ctx, g) },
		},
		op.Write[op.Scalars, op.None]{
			Path: path, Title: "Change settings: " + what, Access: change, Members: g.Names(),
			Audit: op.Audit{Target: "system_config", Action: text.ForAction("config-update")}, Budget: 10,
			Do: func(ctx context.Context, r op.Scalars) (op.None, error) {
				return op.None{}, s.Save(ctx, g, r)
			},
		},
	}
}
