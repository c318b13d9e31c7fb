package settings

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
)

// Group is a group of settings that is shown and changed together; it is the middle part of their keys.
type Group string

// The groups.
const (
	Mall    Group = "mall"
	Express Group = "express"
	Order   Group = "order"
	App     Group = "wx"
	Payment Group = "payment"
)

// longest bounds the bytes of a setting.
const longest = 512

// longestName bounds the characters of an unknown key in a sentence.
const longestName = 64

// Names returns the names of the group's settings.
func (g Group) Names() []string { return slices.Sorted(maps.Keys(g.keys())) }

// keys returns the keys of the group, by name.
func (g Group) keys() map[string]key {
	of := map[string]key{}
	for _, k := range keys {
		if strings.HasPrefix(k.name, "litemall_"+string(g)+"_") {
			of[k.name] = k
		}
	}
	return of
}

// Texts returns the stored settings of a group, by key. Missing and invalid ones are shown as their defaults, which
// apply.
func (s *Service) Texts(ctx context.Context, g Group) (map[string]string, error) {
	texts, err := load(ctx, s.db, live)
	if err != nil {
		return nil, fmt.Errorf("read the settings of %s: %w", g, err)
	}
	return s.shown(g.keys(), texts), nil
}

func (s *Service) shown(of map[string]key, stored map[string]string) map[string]string {
	texts := map[string]string{}
	for name, k := range of {
		var v Values
		if texts[name] = s.fallback(k); k.put(&v, stored[name]) && has(stored, name) {
			texts[name] = stored[name]
		}
	}
	return texts
}

func has(stored map[string]string, name string) bool {
	_, ok := stored[name]
	return ok
}

// Save changes settings of a group, all or none. This process applies them at once, others within a second. It fails
// with errno.Missing without any setting, and with errno.Invalid for a key outside the group or an invalid text.
func (s *Service) Save(ctx context.Context, g Group, texts map[string]string) error {
	if len(texts) == 0 {
		return errno.Missing.Because(wording.BodyEmpty)
	}
	of := g.keys()
	unit, err := s.Unit(ctx)
	if err != nil {
		return err
	}
	for name, text := range texts {
		var v Values
		k, known := of[name]
		if !known {
			return errno.Invalid.Because(wording.SettingUnknown, form.Truncate(name, longestName))
		}
		n, _ := whole(text)
		if len(text) > longest || !k.put(&v, text) || k.most > 0 && n > k.most {
			why, args := k.refusal()
			return fmt.Errorf("setting %s: %w", name, errno.Invalid.Because(why, args...))
		}
		if !v.fit(unit) {
			return errno.Invalid.Because(wording.ValidationWhole, k.label)
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		// The keys are locked in the order of their index, so that two changes cannot deadlock.
		locked, err := load(ctx, tx, `
			r.key_name IN ? AND r.del_mark = 0
			ORDER BY r.key_name
			FOR UPDATE`, slices.Sorted(maps.Keys(of)))
		if err != nil {
			return fmt.Errorf("lock the settings of %s: %w", g, err)
		}
		if to, ok := texts[currencyName]; ok {
			if err := s.changeCurrency(ctx, tx, locked, to); err != nil {
				return err
			}
		}
		if g == Express {
			if err := s.checkDelivery(ctx, tx, locked, texts); err != nil {
				return err
			}
		}
		was := s.shown(of, locked)
		before, after := map[string]string{}, map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			before[name], after[name] = was[name], texts[name]
			if err := s.store(ctx, tx, name, texts[name]); err != nil {
				return err
			}
		}
		tx.OnCommit(s.values.Invalidate)
		return audit.Record(ctx, tx, audit.Change{Before: before, After: after, Result: string(g)})
	})
}

// store saves a setting, which is inserted if it is missing.
func (s *Service) store(ctx context.Context, tx *db.Tx, name, text string) error {
	now := s.now()
	_, err := rows.Upsert(ctx, tx, rowOf(name, text, now),
		"key_value = ?, update_time = ?, version = version + 1", text, now)
	if err != nil {
		return fmt.Errorf("save the setting %s: %w", name, err)
	}
	return nil
}
