package consistency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// staffOwned are the tables whose rows staff makes, with the members of records that others change too: jobs, orders
// and changes of other rows. All else in such a row is as its records say, the newest first.
var staffOwned = map[string][]string{
	"ad": nil, "admin": nil, "brand": nil, "category": nil, "comment": nil, "issue": nil, "keyword": {"default"},
	"notice": nil, "role": nil, "storage": nil, "topic": nil, "goods_attribute": nil, "goods_specification": nil,
	"coupon": {"status", "received"}, "goods": {"retailPrice", "shareUrl"}, "goods_product": {"number", "hotMode"},
	"freight": nil, "groupon_rules": {"status", "goodsName", "picUrl"},
}

// changing are the members that every change of a row changes, and the one that is compared by itself.
var changing = []string{"version", "updateTime", "deleted"}

// spelledAs are members of records whose name is not that of the column.
var spelledAs = map[string]string{"role.description": "desc", "comment.admin_content": "adminContent"}

// vanishing are the tables of which old rows are deleted for good.
var vanishing = map[string]bool{"notice": true, "storage": true}

// children are the members of records that are lists of rows of another table.
var children = map[string]map[string]string{
	"goods": {
		"products": "goods_product", "specifications": "goods_specification", "attributes": "goods_attribute",
	},
	"freight": {"rules": "freight_rule"},
}

// recordedTime is how records write times.
const recordedTime = "2006-01-02T15:04:05.000Z07:00"

// recordOf is an audit record of a row.
type recordOf struct {
	ID, TargetID          int64
	TargetType            string
	BeforeJSON, AfterJSON *string
	AddTime               time.Time
}

// recordedParts compare rows that staff makes with their audit records.
func (s *Service) recordedParts() []part {
	reads := []string{"audit_log", "goods_content", "permission", "admin_role", "system_config"}
	for name := range staffOwned {
		reads = append(reads, name)
		for _, child := range children[name] {
			reads = append(reads, child)
		}
	}
	slices.Sort(reads)
	return []part{{"audit_log", reads, s.ranged("audit_log", "id", s.recorded)}}
}

// recorded compares the rows whose newest record lies in a range with what their records say.
func (s *Service) recorded(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
	var names []string
	for name := range staffOwned {
		names = append(names, name)
	}
	newest, err := table.Select[recordOf](ctx, s.db, `
		SELECT a.id, a.target_id, a.target_type, a.before_json, a.after_json, a.add_time
		FROM audit_log a
		WHERE a.id BETWEEN ? AND ? AND a.target_type IN ? AND a.target_id > 0
			AND (a.after_json IS NOT NULL OR a.before_json IS NOT NULL)
			AND NOT EXISTS (
				SELECT 1 FROM audit_log n
				WHERE n.target_type = a.target_type AND n.target_id = a.target_id AND n.id > a.id
					AND (n.after_json IS NOT NULL OR n.before_json IS NOT NULL))
		ORDER BY a.id`, lo, hi, names)
	if err != nil {
		return nil, fmt.Errorf("read the newest audit records: %w", err)
	}
	var found []Disagreement
	for _, r := range newest {
		more, err := s.recordedRow(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("compare %s %d with its audit records: %w", r.TargetType, r.TargetID, err)
		}
		found = append(found, more...)
	}
	settings, err := s.recordedSettings(ctx, lo, hi)
	return append(found, settings...), err
}

func (s *Service) recordedRow(ctx context.Context, newest recordOf) ([]Disagreement, error) {
	t, id := declaredAs(newest.TargetType), newest.TargetID
	wrong := func(what, found, expected string) []Disagreement {
		return []Disagreement{differs(t.Name, fmt.Sprint(id), what, found, expected)}
	}
	is, err := table.Select[struct {
		Deleted    bool
		UpdateTime time.Time
	}](ctx, s.db, "SELECT deleted, update_time FROM "+quoted(t.Name)+" WHERE id = ?", id)
	switch {
	case err != nil:
		return nil, err
	case len(is) == 0 && vanishing[t.Name]:
		return nil, nil
	case len(is) == 0:
		return wrong("row", "nothing", fmt.Sprintf("a row, by audit record %d", newest.ID)), nil
	case newest.AfterJSON == nil && !is[0].Deleted:
		return wrong("deleted", "0", fmt.Sprintf("1, by audit record %d", newest.ID)), nil
	}
	latest, err := s.recordedMembers(ctx, newest)
	if err != nil {
		return nil, err
	}
	unchanged := is[0].UpdateTime.UTC().Format(recordedTime) == latest["updateTime"]
	if newest.AfterJSON != nil && unchanged && is[0].Deleted {
		return wrong("deleted", "1", fmt.Sprintf("0, by audit record %d", newest.ID)), nil
	}
	found, err := s.compare(ctx, t, id, latest)
	if err != nil {
		return nil, err
	}
	more, err := s.compareChildren(ctx, t.Name, latest)
	if err != nil {
		return nil, err
	}
	if newest.AfterJSON == nil {
		return append(found, more...), nil // what is deleted has nothing any more
	}
	rights, err := s.compareRights(ctx, t.Name, id, latest)
	return slices.Concat(found, more, rights), err
}

// recordedMembers returns what the records of a row say about it, the newest first of all.
func (s *Service) recordedMembers(ctx context.Context, newest recordOf) (map[string]any, error) {
	if newest.AfterJSON == nil { // what was deleted is recorded whole
		newest.AfterJSON = newest.BeforeJSON
		return saidBy([]recordOf{newest})
	}
	all, err := table.Select[recordOf](ctx, s.db, `
		SELECT a.id, a.target_id, a.target_type, a.before_json, a.after_json, a.add_time
		FROM audit_log a
		WHERE a.target_type = ? AND a.target_id = ? AND a.after_json IS NOT NULL
		ORDER BY a.id DESC
		LIMIT 100`, newest.TargetType, newest.TargetID)
	if err != nil {
		return nil, err
	}
	return saidBy(all)
}

// saidBy returns the members of records, each by the first that names it.
func saidBy(all []recordOf) (map[string]any, error) {
	latest := map[string]any{}
	for _, r := range all {
		var members map[string]any
		if err := json.Unmarshal([]byte(*r.AfterJSON), &members); err != nil {
			return nil, fmt.Errorf("decode audit record %d: %w", r.ID, err)
		}
		for name, value := range members {
			if _, newer := latest[name]; !newer {
				latest[name] = value
			}
		}
	}
	return latest, nil
}

// compare compares a row with members of a record that are columns of it.
func (s *Service) compare(
	ctx context.Context, t table.Declared, id int64, latest map[string]any,
) ([]Disagreement, error) {
	row, there, err := t.Get(ctx, s.db, id)
	if _, broken := errors.AsType[*json.SyntaxError](err); broken {
		return nil, nil // a column that must be JSON is not, which its own check says
	}
	if err != nil {
		return nil, err
	}
	if !there {
		return []Disagreement{differs(t.Name, fmt.Sprint(id), "row", "nothing", "a row, by an audit record")}, nil
	}
	columns := map[string]any{}
	for _, f := range t.Fields {
		if audit.Named(f.StructField) == "id" && f.DBName != "id" {
			continue // the id of something else, in a struct of its own
		}
		columns[audit.Named(f.StructField)] = f.ReflectValueOf(ctx, reflect.ValueOf(row)).Interface()
	}
	is, err := audit.Members(columns)
	if err != nil {
		return nil, err
	}
	var found []Disagreement
	for _, f := range t.Fields {
		name := audit.Named(f.StructField)
		want, known := latest[name]
		if name == "id" && f.DBName != "id" {
			continue
		}
		if other, renamed := spelledAs[t.Name+"."+f.DBName]; renamed {
			want, known = latest[other]
		}
		free := slices.Contains(changing, name) || slices.Contains(staffOwned[t.Name], name)
		same := reflect.DeepEqual(s.today(want), s.today(is[name]))
		if !known || free || want == audit.Redacted || same {
			continue
		}
		found = append(found, differs(
			t.Name, fmt.Sprint(id), f.DBName, fmt.Sprint(is[name]), fmt.Sprintf("%v, by an audit record", want)))
	}
	if detail, known := latest["detail"]; known && t.Name == "goods" {
		have, err := table.Select[struct {
			Detail string `holds:"html"`
		}](ctx, s.db,
			"SELECT detail FROM goods_content WHERE goods_id = ?", id)
		if err != nil {
			return nil, err
		}
		if len(have) != 1 || have[0].Detail != s.today(detail) {
			found = append(found, differs(
				"goods_content", fmt.Sprint(id), "detail", fmt.Sprint(have), fmt.Sprintf("%v, by an audit record", detail)))
		}
	}
	return found, nil
}

// today returns a member of a record with the addresses of today: a record keeps those of its time.
func (s *Service) today(member any) any {
	switch member := member.(type) {
	case string:
		return s.db.Files().ShownIn(s.db.Files().Shown(member))
	case []any:
		all := make([]any, len(member))
		for i := range member {
			all[i] = s.today(member[i])
		}
		return all
	}
	return member
}

// compareChildren compares the rows that a record of goods lists.
func (s *Service) compareChildren(ctx context.Context, name string, latest map[string]any) ([]Disagreement, error) {
	var found []Disagreement
	for member, of := range children[name] {
		list, _ := latest[member].([]any)
		for _, one := range list {
			members, ok := one.(map[string]any)
			id, named := members["id"].(float64)
			if !ok || !named || id == 0 { // one that the change has added
				continue
			}
			more, err := s.compare(ctx, declaredAs(of), int64(id), members)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	return found, nil
}

// held are the statements that list what roles and operators have, by the member of records that lists it.
var held = map[[2]string]string{
	{"role", "permissions"}: "SELECT permission AS v FROM permission WHERE role_id = ? AND deleted = 0 ORDER BY v",
	{"admin", "roleIds"}: `SELECT CAST(h.role_id AS CHAR) AS v
		FROM admin_role h
		JOIN role r ON r.id = h.role_id
		WHERE h.admin_id = ? AND r.deleted = 0
		ORDER BY v`,
}

// compareRights compares the permissions of a role, or the roles of an operator, with the newest record of them.
func (s *Service) compareRights(
	ctx context.Context, name string, id int64, latest map[string]any,
) ([]Disagreement, error) {
	for of, statement := range held {
		list, known := latest[of[1]].([]any)
		if of[0] != name || !known {
			continue
		}
		var want, have []string
		for _, v := range list {
			want = append(want, fmt.Sprint(v))
		}
		rows, err := table.Select[struct{ V string }](ctx, s.db, statement, id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			have = append(have, r.V)
		}
		slices.Sort(want)
		slices.Sort(have)
		if !slices.Equal(want, have) {
			return []Disagreement{
				differs(name, fmt.Sprint(id), of[1], fmt.Sprint(have), fmt.Sprintf("%v, by an audit record", want)),
			}, nil
		}
	}
	return nil, nil
}

// declaredAs returns a table by its name.
func declaredAs(name string) table.Declared {
	all := table.All()
	return all[slices.IndexFunc(all, func(t table.Declared) bool { return t.Name == name })]
}

// recordedSettings compares settings with the newest record that names each. Of a range only the last record of each
// setting is looked at: a shop whose settings change all day would compare each change with each other one.
func (s *Service) recordedSettings(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
	after := parsed("a.after_json")
	return s.settingsThatDiffer(ctx, `
		SELECT t.key_name AS row_key, t.key_value AS says,
			JSON_UNQUOTE(JSON_EXTRACT(`+after+`, CONCAT('$.', t.key_name))) AS should
		FROM (
			SELECT t.id AS setting, MAX(a.id) AS record
			FROM audit_log a
			JOIN system_config t ON JSON_CONTAINS_PATH(`+after+`, 'one', CONCAT('$.', t.key_name))
			WHERE a.id BETWEEN @lo AND @hi AND a.target_type = 'system_config' AND a.after_json IS NOT NULL
			GROUP BY t.id
		) AS last
		JOIN audit_log a ON a.id = last.record
		JOIN system_config t ON t.id = last.setting
		WHERE t.update_time <= a.add_time + INTERVAL 2 MINUTE
			AND NOT (t.key_value <=> JSON_UNQUOTE(JSON_EXTRACT(`+after+`, CONCAT('$.', t.key_name))))
			AND NOT EXISTS (
				SELECT 1 FROM audit_log n
				WHERE n.target_type = 'system_config' AND n.id > a.id
					AND JSON_CONTAINS_PATH(`+parsed("n.after_json")+`, 'one', CONCAT('$.', t.key_name)))`, s.named(lo, hi))
}

func (s *Service) settingsThatDiffer(ctx context.Context, query string, named map[string]any) ([]Disagreement, error) {
	rows, err := disagreeing(ctx, s.db, query, named)
	if err != nil {
		return nil, fmt.Errorf("compare settings with audit records: %w", err)
	}
	var found []Disagreement
	for _, r := range rows {
		found = append(found, differs(
			"system_config", r.RowKey, "key_value", printed(r.Says), printed(r.Should)+", by an audit record"))
	}
	return found, nil
}
