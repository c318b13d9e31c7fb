package op

import "shop.internal/pkg/base/country"

// In returns operations with the forms of a country's texts, such as its mobile numbers. Without it they have those of
// China.
func In(c country.Country, ops []Op) []Op {
	if c.IsChina() {
		return ops
	}
	settled := make([]Op, len(ops))
	for i, o := range ops {
		settled[i] = elsewhere{o, c}
	}
	return settled
}

// elsewhere is an operation of a shop in another country.
type elsewhere struct {
	Op

	in country.Country
}

func (o elsewhere) spec() Spec {
	s := o.Op.spec()
	s.plan.settle(o.in)
	return s
}

func (p *plan) settle(c country.Country) {
	if p == nil {
		return
	}
	for i := range p.fields {
		f := &p.fields[i]
		f.target().settle(c)
		f.nested().settle(c)
	}
}

func (f *field) settle(c country.Country) {
	if f.formName != "" {
		f.form = c.Form(f.formName)
	}
	if f.cleanName != "" {
		f.clean = c.Cleaning(f.cleanName)
	}
}
