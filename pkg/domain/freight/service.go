package freight

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/settings"
)

const (
	// maxAge is the maximum age of the cached templates: a change by another replica takes effect within this time.
	maxAge = time.Second
	// ahead is the age from which a read renews them in the background; stale is how much older they may be while the
	// database does not answer, and maxWait how long the first reader waits for it then.
	ahead   = maxAge / 2
	stale   = 30 * time.Second
	maxWait = ahead
	// loadTimeout bounds the time of reading them.
	loadTimeout = 10 * time.Second
)

// Service keeps the templates.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	once     *idempotency.Store
	settings *settings.Service
	in       country.Country
	now      func() time.Time
	all      *cache.One[map[int64]Template]
}

// New returns the service of a shop in a country; once stores the answers of repeated requests.
func New(
	d *db.DB, once *idempotency.Store, s *settings.Service, in country.Country, now func() time.Time,
) *Service {
	return &Service{
		db: d, lists: lists.New(d), once: once, settings: s, in: in,
		now: func() time.Time { return now().UTC().Truncate(time.Millisecond) },
		all: cache.NewOne(cache.Options[map[int64]Template]{
			Name: "freight templates", Meter: d.Meter(),
			TTL: cache.For[map[int64]Template](maxAge), MaxSize: 1, Deadline: loadTimeout, Now: now,
			Ahead: ahead, Stale: stale, MaxWait: maxWait,
		}, func(ctx context.Context) (map[int64]Template, error) { return charging(ctx, d) }),
	}
}

// charging reads what the templates charge, in one statement, so that all rules are of one moment. Names and times are
// left out.
func charging(ctx context.Context, q db.Querier) (map[int64]Template, error) {
	found, err := table.Select[struct {
		Rule
		Charge      Charge
		PieceWeight int
	}](ctx, q, "SELECT "+rules.Columns("r")+`, t.charge, t.piece_weight
		FROM freight t JOIN freight_rule r ON r.freight_id = t.id
		WHERE t.deleted = 0
		ORDER BY r.id`)
	if err != nil {
		return nil, fmt.Errorf("read the freight templates: %w", err)
	}
	all := map[int64]Template{}
	for _, r := range found {
		t := all[r.FreightID]
		t.ID, t.Charge, t.PieceWeight = r.FreightID, r.Charge, r.PieceWeight
		t.Rules = append(t.Rules, r.Rule)
		all[t.ID] = t
	}
	return all, nil
}

// check is Template.Check for the country of the shop: outside China, where no list has the regions, each rule is for
// the whole country.
func (s *Service) check(t *Template) error {
	if err := t.Check(); err != nil || s.in.IsChina() {
		return err
	}
	for _, r := range t.Rules {
		if len(r.Regions) > 0 {
			return errno.NoSuch(text.FieldRegions)
		}
	}
	return nil
}

// Delivery is what is to be charged: a way to an address, by the settings of one moment.
type Delivery struct {
	Way      settings.Way
	To       address.Address
	Settings settings.Values
	// Templated says that goods name templates; otherwise a parcel needs none.
	Templated bool
}

// Now returns what a delivery costs, by templates that are at most a second old. It reads no template if none is used.
func (s *Service) Now(ctx context.Context, d Delivery) (Freight, error) {
	return s.charged(d, func() (map[int64]Template, error) { return s.all.Get(ctx) })
}

// NowIn is Now inside a transaction: it reads on the transaction's own connection and waits for no other.
func (s *Service) NowIn(ctx context.Context, tx *db.Tx, d Delivery) (Freight, error) {
	return s.charged(d, func() (map[int64]Template, error) {
		if all, cached := s.all.Cached(); cached {
			return all, nil
		}
		return charging(ctx, tx) // not cached, because the transaction may not commit
	})
}

// charged returns what a delivery costs: nothing for what is collected, a parcel by the templates of its goods, and the
// shop's own courier by one template for all goods.
func (s *Service) charged(
	d Delivery, templates func() (map[int64]Template, error),
) (f Freight, err error) {
	f = Freight{Value: d.Settings.FreightValue, FreeFrom: d.Settings.FreightMin}
	if s.in.IsChina() {
		f.To = RegionOf(d.To)
	}
	switch {
	case d.Way == settings.Collect:
		return Freight{To: f.To}, nil
	case d.Way == settings.Courier:
		all, err := templates()
		if t, known := all[int64(d.Settings.CourierFreight)]; known {
			f.Templates = map[int64]Template{0: t}
		}
		return f, err
	case d.Templated:
		f.Templates, err = templates()
	}
	return f, err
}

// crud edits templates together with their rules.
func (s *Service) crud() edit.CRUD[Template] {
	c := edit.Of(templates, s.once, s.now)
	c.Lock = func(ctx context.Context, tx *db.Tx, id int64) (Template, bool, error) {
		t, found, err := templates.LockLive(ctx, tx, id)
		if err != nil || !found {
			return t, false, err
		}
		t.Rules, err = rules.Find(ctx, tx, "r.freight_id = ? ORDER BY r.id", id)
		return t, true, err
	}
	c.Insert = func(ctx context.Context, tx *db.Tx, t Template) (int64, error) {
		id, err := templates.InsertAt(ctx, tx, t, s.now())
		if err != nil {
			return 0, err
		}
		return id, insertRules(ctx, tx, id, t.Rules)
	}
	c.Changed = func(_ context.Context, tx *db.Tx, _ int64) error {
		tx.OnCommit(s.all.Invalidate)
		return nil
	}
	return c
}

func insertRules(ctx context.Context, tx *db.Tx, template int64, all []Rule) error {
	rows := make([]Rule, len(all))
	for i, r := range all {
		r.ID, r.FreightID = 0, template
		rows[i] = r
	}
	return rules.InsertAll(ctx, tx, rows)
}

// Create adds a template. It fails with errno.Invalid for one that does not say for every place what delivery costs,
// for an unknown region or one that two rules name, and beyond the maximum number of templates.
func (s *Service) Create(ctx context.Context, t Template) (Template, error) {
	return s.crud().Create(ctx, t, func(tx *db.Tx, t *Template) error {
		n, err := templates.Count(ctx, tx, "deleted = 0")
		if err == nil && n >= maxTemplates {
			err = errno.Invalid.Because(text.FreightFull, maxTemplates)
		}
		if err != nil {
			return err
		}
		return s.check(t)
	})
}

// Change changes a template; if one of its rules is another, all are replaced. It fails with errno.UpdateFailed for an
// unknown one, and like Create.
func (s *Service) Change(ctx context.Context, id int64, change func(*Template)) (Template, error) {
	c, same := s.crud(), false
	c.Save = func(ctx context.Context, tx *db.Tx, id int64, t Template, at time.Time) error {
		if err := templates.SaveAt(ctx, tx, t, at); err != nil || same {
			return err
		}
		if _, err := rules.Delete(ctx, tx, "freight_id = ?", id); err != nil {
			return err
		}
		return insertRules(ctx, tx, id, t.Rules)
	}
	return c.Update(ctx, id, func(_ *db.Tx, t *Template) error {
		before := slices.Clone(t.Rules)
		change(t)
		err := s.check(t)
		same = reflect.DeepEqual(before, t.Rules)
		return err
	})
}

// Delete deletes a template; an unknown one is ignored. It fails with errno.Invalid while goods name it, or the courier
// is charged by it. Both lock the template that they begin to name, so none can begin to meanwhile.
func (s *Service) Delete(ctx context.Context, id int64) error {
	return s.crud().Delete(ctx, func(tx *db.Tx, t Template) error {
		n, err := catalog.CountFreight(ctx, tx, t.ID)
		if err == nil && n > 0 {
			err = fmt.Errorf("delete freight template %d: %w", t.ID, errno.Invalid.Because(text.FreightHasGoods, n))
		}
		if err != nil {
			return err
		}
		courier, err := s.settings.Courier(ctx, tx)
		if err == nil && courier == t.ID {
			err = fmt.Errorf("delete freight template %d: %w", t.ID, errno.Invalid.Because(text.FreightOfCourier))
		}
		return err
	}, id)
}

// Template returns a template. It fails with errno.Invalid for an unknown one.
func (s *Service) Template(ctx context.Context, id int64) (Template, error) {
	t, err := edit.Find(ctx, s.db, templates, text.FieldFreight, id)
	if err != nil {
		return t, err
	}
	list := []Template{t}
	err = s.fill(ctx, list)
	return list[0], err
}

// List lists templates whose name contains a text. Sort is add_time or id.
func (s *Service) List(ctx context.Context, name string, q page.Query) (page.List[Template], error) {
	l, err := lists.Fetch[Template](ctx, s.lists,
		lists.Of(templates).TimeIndex("ix_freight_list").Contains("name", name), q)
	if err != nil {
		return l, err
	}
	return l, s.fill(ctx, l.Items)
}

// fill reads the rules of templates in one statement.
func (s *Service) fill(ctx context.Context, list []Template) error {
	ids := make([]int64, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := rules.Find(ctx, s.db, "r.freight_id IN ? ORDER BY r.id", ids)
	of := map[int64][]Rule{}
	for _, r := range found {
		of[r.FreightID] = append(of[r.FreightID], r)
	}
	for i := range list {
		list[i].Rules = of[list[i].ID]
	}
	return err
}

// HoldForCourier keeps a template until the end of a transaction. It fails with errno.Invalid for an unknown one.
func (s *Service) HoldForCourier(ctx context.Context, tx *db.Tx, id int64) error {
	held, err := templates.Hold(ctx, tx, id)
	if err == nil && !held {
		err = fmt.Errorf("freight template %d: %w", id, errno.NoSuch(text.FieldFreight))
	}
	return err
}

// Names returns the names of the templates, by id.
func (s *Service) Names(ctx context.Context) (map[int64]string, error) {
	all, err := templates.Find(ctx, s.db, "r.deleted = 0")
	names := make(map[int64]string, len(all))
	for _, t := range all {
		names[t.ID] = t.Name
	}
	return names, err
}

// Goods are what the catalogue needs of the templates that goods name.
func (s *Service) Goods() catalog.FreightHooks {
	return catalog.FreightHooks{
		Hold: templates.Hold, Names: s.Names,
		Exists: func(ctx context.Context, q db.Querier, id int64) (bool, error) {
			return templates.Exists(ctx, q, "id = ? AND deleted = 0", id)
		},
	}
}

// HasDecimals reports whether an amount of a template has decimals.
func (s *Service) HasDecimals(ctx context.Context, q db.Querier) (bool, error) {
	return rules.Exists(ctx, q, `r.first_price <> FLOOR(r.first_price) OR r.further_price <> FLOOR(r.further_price)
		OR r.free_from <> FLOOR(r.free_from)`)
}
