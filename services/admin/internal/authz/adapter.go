package authz

import (
	"errors"

	"github.com/casbin/casbin/v2/model"
	"github.com/casbin/casbin/v2/persist"

	"shop.internal/pkg/domain/access"
)

// adapter passes the loaded grants to Casbin. It is read-only: grants are changed through package access.
type adapter struct{ grants access.Grants }

var _ persist.Adapter = (*adapter)(nil)

// LoadPolicy builds the graph.
func (a *adapter) LoadPolicy(m model.Model) error {
	for _, h := range a.grants.Assignments {
		if err := rule(m, operatorNode(h.Operator), roleNode(h.Role)); err != nil {
			return err
		}
	}
	for _, g := range a.grants.Values {
		if err := rule(m, roleNode(g.Role), leafNode(g.Value)); err != nil {
			return err
		}
	}
	return nil
}

func rule(m model.Model, from, to string) error {
	return persist.LoadPolicyArray([]string{"g", from, to}, m)
}

var errReadOnly = errors.New("grants are changed through the access area")

// SavePolicy fails.
func (a *adapter) SavePolicy(model.Model) error { return errReadOnly }

// AddPolicy fails.
func (a *adapter) AddPolicy(string, string, []string) error { return errReadOnly }

// RemovePolicy fails.
func (a *adapter) RemovePolicy(string, string, []string) error { return errReadOnly }

// RemoveFilteredPolicy fails.
func (a *adapter) RemoveFilteredPolicy(string, string, int, ...string) error { return errReadOnly }
