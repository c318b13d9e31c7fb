package catalog

import "context"

// Names maps the names of categories, brands and freight templates to their ids, since ids differ from shop to shop.
type Names struct {
	categories       map[int64]Category
	brands, freights map[int64]string
}

// maxNames is the maximum number of brands that can be referred to by name.
const maxNames = 100_000

// Names reads the names of categories, brands and freight templates.
func (s *Service) Names(ctx context.Context) (Names, error) {
	n := Names{map[int64]Category{}, map[int64]string{}, nil}
	for _, level := range []string{FirstLevel, SecondLevel} {
		list, err := categoriesOfLevel(ctx, s.db, level)
		if err != nil {
			return n, err
		}
		for _, c := range list {
			n.categories[c.ID] = c
		}
	}
	brands, err := s.FirstBrands(ctx, maxNames)
	for _, b := range brands {
		n.brands[b.ID] = b.Name
	}
	if err != nil || s.freight.Names == nil {
		return n, err
	}
	n.freights, err = s.freight.Names(ctx)
	return n, err
}

// path returns the names of a parent category and its child; the latter is empty for goods of the first level.
func (n Names) path(id int64) (first, second string) {
	c := n.categories[id]
	if c.Level == SecondLevel {
		return n.categories[c.Pid].Name, c.Name
	}
	return c.Name, ""
}

// category finds a category by its path, 0 for the empty path. It reports false if none or several have it.
func (n Names) category(first, second string) (int64, bool) {
	if first == "" && second == "" {
		return 0, true
	}
	var found []int64
	for id := range n.categories {
		if a, b := n.path(id); a == first && b == second {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// brand finds a brand by its name in the same way, and freight a freight template.
func (n Names) brand(name string) (int64, bool)   { return named(n.brands, name) }
func (n Names) freight(name string) (int64, bool) { return named(n.freights, name) }

func named(all map[int64]string, name string) (int64, bool) {
	if name == "" {
		return 0, true
	}
	var found []int64
	for id, b := range all {
		if b == name {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}
