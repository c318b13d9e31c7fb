package settings

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// Way is how an order reaches its shopper. Its numbers are stored, and are the places in the table of names.
type Way int

// The ways: a carrier brings the order, the shopper collects it in the shop, or the shop's own courier brings it.
const (
	Parcel Way = iota
	Collect
	Courier
)

// Ways are all of them.
var Ways = []Way{Parcel, Collect, Courier}

// Code is the word by which clients name the way.
func (w Way) Code() string { return w.choice().Value }

// Name is what people call the way.
func (w Way) Name() *wording.Text { return w.choice().Name }

// choice is the entry of the way; a number that is none stands for itself.
func (w Way) choice() wording.Choice {
	if !slices.Contains(Ways, w) {
		number := strconv.Itoa(int(w))
		return wording.Choice{Value: number, Name: wording.Literal(number)}
	}
	return wording.Choices("delivery")[w]
}

// Special is the code of a way that is no parcel, empty for a parcel: answers name what is not usual.
func (w Way) Special() string {
	if w == Parcel {
		return ""
	}
	return w.Code()
}

// WayCalled finds a way by its code.
func WayCalled(code string) (Way, bool) {
	i := slices.IndexFunc(Ways, func(w Way) bool { return w.Code() == code })
	return Way(max(i, 0)), i >= 0
}

// WayOf finds a way that the shop offers by its code; an empty code means a parcel, or the first way of a shop that
// sends none.
func (v Values) WayOf(code string) (Way, bool) {
	if code == "" {
		if slices.Contains(v.Ways, Parcel) {
			return Parcel, true
		}
		return v.Ways[0], true
	}
	w, known := WayCalled(code)
	return w, known && slices.Contains(v.Ways, w)
}

// ways reads the codes of ways, each at most once, divided by commas. None at all is well-formed.
func ways(v *Values, s string) bool {
	v.Ways = nil
	for code := range strings.SplitSeq(s, ",") {
		w, known := WayCalled(strings.TrimSpace(code))
		if s != "" && (!known || slices.Contains(v.Ways, w)) {
			return false
		}
		if known {
			v.Ways = append(v.Ways, w)
		}
	}
	return true
}

// lacks says what a way needs that the settings do not have, nil for nothing.
func (v Values) lacks(w Way) *wording.Text {
	switch {
	case w == Collect && (v.CollectAddress == "" || v.CollectHours == ""):
		return wording.CollectNeedsPlace
	case w == Courier && v.CourierFreight == 0:
		return wording.CourierNeedsFreight
	}
	return nil
}

// offered are the ways that can be offered, at least a parcel.
func (v Values) offered() []Way {
	all := slices.DeleteFunc(v.Ways, func(w Way) bool { return v.lacks(w) != nil })
	if len(all) == 0 {
		return []Way{Parcel}
	}
	return all
}

// OnCourier registers what holds the freight template of the courier until the end of a transaction. It is called at
// wiring, and fails with errno.Invalid for an unknown one.
func (s *Service) OnCourier(hold func(ctx context.Context, tx *db.Tx, template int64) error) {
	s.hold = hold
}

// Courier returns the freight template of the courier, 0 for none, whether or not the courier is offered.
func (s *Service) Courier(ctx context.Context, q db.Querier) (int64, error) {
	texts, err := load(ctx, q, live+" AND r.key_name = ?", courierName)
	v, _ := s.valuesOf(texts)
	return int64(v.CourierFreight), err
}

// checkDelivery refuses ways that lack what they need. stored are the settings of the group, changed those that change.
func (s *Service) checkDelivery(ctx context.Context, tx *db.Tx, stored, changed map[string]string) error {
	var v Values
	for _, k := range keys {
		text, ok := changed[k.name]
		if !ok {
			text, ok = stored[k.name]
		}
		if !ok || !k.put(&v, text) {
			k.put(&v, k.fallback.In(s.language))
		}
	}
	for _, w := range v.Ways {
		if lacking := v.lacks(w); lacking != nil {
			return errno.Invalid.Because(lacking)
		}
	}
	if v.CourierFreight == 0 || s.hold == nil || !has(changed, courierName) {
		return nil
	}
	return s.hold(ctx, tx, int64(v.CourierFreight))
}

// optional is a text that may be empty.
func optional(put func(*Values, string) bool) func(*Values, string) bool {
	return func(v *Values, s string) bool { return put(v, s) || s == "" }
}
