package access

import (
	"context"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
)

// SavedView is a list with filters and an order under a name.
type SavedView struct {
	ID    int64  `json:"id"`
	Page  string `json:"page" doc:"The page of the console."`
	Name  string `json:"name"`
	Query string `json:"query" doc:"What follows the question mark in the address of the page."`
}

func (h profileHandlers) views(ctx context.Context, _ op.None) ([]SavedView, error) {
	all, err := h.Access.Views(ctx, auth.Operator(ctx).ID)
	return wire.Each(all, func(v access.SavedView) SavedView {
		return SavedView{ID: v.ID, Page: v.Page, Name: v.Name, Query: v.Query}
	}), err
}

// SaveView is the body of /admin/profile/view/save.
type SaveView struct {
	Page  string `json:"page" check:"required,maxLength=63,visible" doc:"The page of the console, such as mall/order."`
	Name  string `json:"name" check:"required,maxLength=63,visible"`
	Query string `json:"query" check:"maxLength=1023,clean=none"`
}

func (h profileHandlers) saveView(ctx context.Context, r SaveView) (op.None, error) {
	var v access.SavedView
	v.AdminID, v.Page, v.Name, v.Query = auth.Operator(ctx).ID, r.Page, r.Name, r.Query
	return op.None{}, h.Access.SaveView(ctx, v)
}

func (h profileHandlers) dropView(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DropView(ctx, auth.Operator(ctx).ID, r.ID)
}
