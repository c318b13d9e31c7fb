package catalog

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog/search/index"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// maxBriefs is the id up to which searches by relevance look at the brief of goods, which bounds the memory for them.
const maxBriefs = 200_000

// Relevant is the answer of a search by relevance.
type Relevant struct {
	page.List[Summary]
	// Categories are those of Find.
	Categories []Category
	// Approximate says that no goods have all words, and that goods are shown that are like what was looked for.
	Approximate bool
	// Corrected is what was looked for instead; empty for an answer that is not approximate.
	Corrected string
}

// sought is a search by relevance.
type sought struct {
	filter Filter
	words  []index.Word
	whole  []string
}

// Search is Find with other goods and in another order. Each word may also be in the name of the brand or of the
// category (or the one above it) or, of the first 200,000 goods, in the brief; and in traditional or simplified
// characters, or without accents. Goods of which the keyword is the name are the first, then those that have all words
// in the name, in the name or the keywords, there or in the names of brand and category, and the others; the newest of
// each first. The order of q does not matter. Without a keyword all goods are found.
//
// If no goods on sale have all words, goods are shown for words that are like them: read the same, with the same first
// letters of the syllables, different by one edit, or a part. Only the index knows such words.
func (s *Service) Search(ctx context.Context, f Filter, q page.Query) (Relevant, error) {
	err := f.check()
	if err == nil {
		f, err = s.withChildren(ctx, f)
	}
	if err != nil {
		return Relevant{}, err
	}
	known, err := s.labels.Get(ctx)
	if err != nil {
		return Relevant{}, err
	}
	words, whole := known.spelled(f.Keyword)
	if len(words) == 0 {
		q.Sort, q.Desc = "add_time", true
		list, in, err := s.Find(ctx, f, q)
		return Relevant{List: list, Categories: in, Approximate: false, Corrected: ""}, err
	}
	asked, x := sought{f, words, whole}, s.index.Current()
	found, err := s.relevant(ctx, x, asked, q)
	if err != nil || found.Total > 0 || x == nil || x.Finds(words) {
		return found, err
	}
	instead, ok := correction{x, known}.of(f.Keyword)
	if !ok {
		return found, nil
	}
	asked.words, asked.whole = known.spelled(instead)
	asked.filter.Keyword = instead
	found, err = s.relevant(ctx, x, asked, q)
	found.Approximate, found.Corrected = true, instead
	return found, err
}

func (s *Service) readLabels(ctx context.Context) (l labels, err error) {
	l.brands, err = table.Select[label](ctx, s.db, "SELECT id, 0 AS pid, name FROM brand WHERE deleted = 0 ORDER BY id")
	if err != nil {
		return l, err
	}
	l.categories, err = table.Select[label](ctx, s.db, "SELECT id, pid, name FROM category WHERE deleted = 0 ORDER BY id")
	if err != nil {
		return l, err
	}
	l.words = index.NewWords()
	for _, all := range [][]label{l.brands, l.categories} {
		for i := range all {
			all[i].Name = form.Fold(all[i].Name)
			for word := range strings.FieldsSeq(all[i].Name) {
				l.words.Add(word, labelScore)
			}
		}
	}
	return l, nil
}

// relevant answers a question with the goods that have all words, from the index if there is one that answers as the
// database does.
func (s *Service) relevant(ctx context.Context, x *index.Index, a sought, q page.Query) (Relevant, error) {
	if x == nil || cased(a.filter.Keyword) {
		return s.relevantRows(ctx, a, q)
	}
	f := a.filter
	f.Keyword = ""
	filters, _ := f.query(q)
	ranked := index.Ranked{Query: filters, Words: a.words, Whole: a.whole}
	ids, total, in := x.FindRanked(ranked)
	count := func() (int64, error) { return int64(total), nil }
	list, err := page.Fetch(q, count, func(q page.Query) ([]Summary, error) {
		if q.Offset() != ranked.Offset {
			ranked.Offset = q.Offset()
			ids, _, _ = x.FindRanked(ranked)
		}
		return s.summariesInOrder(ctx, ids)
	})
	if err != nil {
		return Relevant{}, err
	}
	categories, err := s.displayed(ctx, in)
	return Relevant{List: list, Categories: categories, Approximate: false, Corrected: ""}, err
}

// relevantRows is relevant from the database.
func (s *Service) relevantRows(ctx context.Context, a sought, q page.Query) (Relevant, error) {
	where := a.conditions()
	count := func() (n int64, err error) {
		err = table.Scan(ctx, s.db, &n, "SELECT COUNT(*) FROM goods g WHERE "+where.where(), where.args...)
		if err != nil {
			err = fmt.Errorf("count goods by relevance: %w", err)
		}
		return n, err
	}
	list, err := page.Fetch(q, count, func(q page.Query) ([]Summary, error) {
		by, args := a.rank()
		args = append(append(args, where.args...), q.Limit, q.Offset())
		return summaries.From(ctx, s.db, "(SELECT g.id, "+by+" AS place FROM goods g WHERE "+where.where()+`
			ORDER BY place, g.add_time DESC, g.id DESC LIMIT ? OFFSET ?) p JOIN goods r ON r.id = p.id
			ORDER BY p.place, r.add_time DESC, r.id DESC`, args...)
	})
	if err != nil {
		return Relevant{}, err
	}
	a.filter.CategoryID = 0
	where = a.conditions()
	const of = "SELECT DISTINCT g.category_id FROM goods g WHERE "
	in, err := table.Select[int64](ctx, s.db, of+where.where(), where.args...)
	if err != nil {
		return Relevant{}, fmt.Errorf("find the categories of goods by relevance: %w", err)
	}
	categories, err := s.displayed(ctx, in)
	return Relevant{List: list, Categories: categories, Approximate: false, Corrected: ""}, err
}

// conditions are those of the goods that have all words anywhere.
func (a sought) conditions() conditions {
	c := conditionsOf(a.filter, lookup{})
	for _, w := range a.words {
		condition, args := having(w, index.Ranks-1)
		c.add(condition, args...)
	}
	return c
}

// rank is the expression of the rank of goods, with its arguments.
func (a sought) rank() (expression string, args []any) {
	expression = "CASE WHEN " + db.Lower("g.name") + " IN (" + strings.Repeat(", LOWER(?)", len(a.whole))[2:] + ") THEN 0"
	for _, s := range a.whole {
		args = append(args, s)
	}
	for rank := 1; rank < index.Ranks-1; rank++ {
		var c conditions
		for _, w := range a.words {
			condition, of := having(w, rank)
			c.add(condition, of...)
		}
		expression += fmt.Sprintf(" WHEN %s THEN %d", c.where(), rank)
		args = append(args, c.args...)
	}
	return fmt.Sprintf("%s ELSE %d END", expression, index.Ranks-1), args
}

// having is the condition that goods have a word at most at a rank, with its arguments.
func having(w index.Word, rank int) (condition string, args []any) {
	texts := []string{"g.name", "g.keywords"}[:min(rank, 2)]
	condition, args = db.Contains(w.Spellings, texts...)
	if rank >= 3 && len(w.Brands) > 0 {
		condition, args = condition+" OR g.brand_id IN ?", append(args, w.Brands)
	}
	if rank >= 3 && len(w.Categories) > 0 {
		condition, args = condition+" OR g.category_id IN ?", append(args, w.Categories)
	}
	if rank >= 4 {
		brief, of := db.Contains(w.Spellings, "g.brief")
		condition += " OR g.id <= ? AND (" + brief + ")"
		args = append(append(args, maxBriefs), of...)
	}
	return "(" + condition + ")", args
}
