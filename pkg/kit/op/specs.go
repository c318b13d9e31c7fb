package op

import (
	"errors"
	"fmt"
	"regexp"
)

var (
	permissionForm = regexp.MustCompile(`^[a-z]+:[a-z]+:[a-zA-Z0-9-]+$`)
	aliasForm      = regexp.MustCompile(`^[a-z]+(:[a-zA-Z0-9-]+){2,3}$`)
)

// Specs checks the declarations and reports all mistakes at once: a missing access or title, a path declared twice, a
// permission that is malformed, declared by another operation, or shared with none.
func Specs(ops ...Op) ([]Spec, error) {
	specs := make([]Spec, 0, len(ops))
	var errs []error
	seen := map[string]string{}
	claim := func(what, key string) {
		if first, taken := seen[what]; taken {
			errs = append(errs, fmt.Errorf("%s: %s is taken by %s", key, what, first))
		}
		seen[what] = key
	}
	for _, o := range ops {
		s := o.spec()
		specs = append(specs, s)
		key := s.Key()
		claim("the path "+key, key)
		if s.Access.kind == undeclared {
			errs = append(errs, fmt.Errorf("%s: no access", key))
		}
		if s.Title == "" {
			errs = append(errs, fmt.Errorf("%s: no title", key))
		}
		if s.Budget < PerItem {
			errs = append(errs, fmt.Errorf("%s: a budget of %d statements", key, s.Budget))
		}
		if err := s.Columns.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", key, err))
		}
		if s.upload != nil && (s.upload.name == "" || s.upload.limit < 1) {
			errs = append(errs, fmt.Errorf("%s: an upload needs the name of its part and a limit", key))
		}
		if s.Access.kind != permitted || s.Access.Shared() {
			continue
		}
		p := s.Access.Permission
		if !permissionForm.MatchString(p.Value) {
			errs = append(errs, fmt.Errorf("%s: malformed permission %q", key, p.Value))
		}
		claim("the permission "+p.Value, key)
		if p.Alias != "" {
			if !aliasForm.MatchString(p.Alias) {
				errs = append(errs, fmt.Errorf("%s: malformed alias %q", key, p.Alias))
			}
			claim("the permission "+p.Alias, key)
		}
		claim(fmt.Sprintf("the button %s / %s", p.Page, p.Button), key)
	}
	for _, s := range specs {
		if s.Access.Shared() && seen["the permission "+s.Access.Permission.Value] == "" {
			errs = append(errs, fmt.Errorf("%s: shares %s, which no operation declares", s.Key(), s.Access.Permission.Value))
		}
	}
	return specs, errors.Join(errs...)
}
