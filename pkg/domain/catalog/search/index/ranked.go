package index

import "github.com/RoaringBitmap/roaring/v2"

// Word is what is looked for by relevance: a word in each of its spellings, in lower case, and the brands and the
// categories that have it in their names.
type Word struct {
	Spellings          []string
	Brands, Categories []int64
}

// Ranked selects goods by relevance. What the words and the order of its Query are does not matter.
type Ranked struct {
	Query
	// Words are those that goods have in their texts, their brand or their category, at least one.
	Words []Word
	// Whole is the whole text in its spellings: goods of which it is the name are the first.
	Whole []string
}

// Ranks are those by which goods are ordered, the newest of each first: goods of which the whole text is the name,
// which have all words in the name, in the name or the keywords, there or in the names of brand and category, and
// anywhere.
const Ranks = 5

// maxCompared is the number of goods up to which their names are compared with a word. Of more, those that have it in
// the keywords rank like those that have it in the name, so that no question takes long.
const maxCompared = 20_000

// FindRanked is FindIn by relevance.
func (x *Index) FindRanked(q Ranked) (ids []int64, total int, categories []int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	q.Query.Words = nil
	levels := x.levels(q)
	ids, total = x.rankedPage(levels, q.Query)
	matches := levels[Ranks-1]
	if len(q.Categories) > 0 {
		q.Categories = nil
		matches = x.levels(q)[Ranks-1]
	}
	return ids, total, x.categoriesOf(matches)
}

// Finds reports whether goods on sale have all words.
func (x *Index) Finds(words []Word) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return !x.all(x.onSale, words, Ranks-1).IsEmpty()
}

// Like returns words of the goods that a word may mean, the likeliest first.
func (x *Index) Like(word string) []Candidate {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words.Like(word)
}

// levels returns the goods that match a question by relevance: those of each rank with those of the ranks before it.
func (x *Index) levels(q Ranked) (levels [Ranks]*roaring.Bitmap) {
	from := x.matches(q.Query)
	for rank := Ranks - 1; rank > 0; rank-- {
		from = x.all(from, q.Words, rank)
		levels[rank] = from
	}
	levels[0] = roaring.New()
	if from.GetCardinality() <= maxCompared {
		levels[0] = roaring.And(from, x.containingAny(q.Whole, wholeName))
	}
	return levels
}

// all returns those of some goods that have all words at most at a rank.
func (x *Index) all(from *roaring.Bitmap, words []Word, rank int) *roaring.Bitmap {
	m := narrowed{from: from}
	for _, w := range words {
		m.in(x.having(w, rank))
	}
	return m.from
}

// having returns the goods that have a word at most at a rank, as a bitmap that the caller must not change.
func (x *Index) having(w Word, rank int) *roaring.Bitmap {
	titled := x.containingAny(w.Spellings, inTitles)
	if rank <= 1 && titled.GetCardinality() <= maxCompared {
		return x.containingAny(w.Spellings, inName)
	}
	parts := []*roaring.Bitmap{titled}
	if rank >= 3 {
		for _, id := range w.Brands {
			parts = append(parts, x.brands[id])
		}
		for _, id := range w.Categories {
			parts = append(parts, x.categories[id])
		}
	}
	if rank >= 4 {
		parts = append(parts, x.containingAny(w.Spellings, inBrief))
	}
	some := parts[:0]
	for _, p := range parts {
		if p != nil && !p.IsEmpty() {
			some = append(some, p)
		}
	}
	if len(some) == 1 {
		return some[0]
	}
	return roaring.FastOr(some...)
}

// rankedPage returns the ids of a page of goods in the order of their ranks, and how many there are.
func (x *Index) rankedPage(levels [Ranks]*roaring.Bitmap, q Query) (ids []int64, total int) {
	q.Sort, q.Desc = Added, true
	var before *roaring.Bitmap
	wanted := q.Limit
	for _, level := range levels {
		of := level
		if before != nil {
			of = roaring.AndNot(level, before)
		}
		before = level
		n := int(of.GetCardinality()) //nolint:gosec // no more than goods
		total += n
		if wanted > 0 && q.Offset >= 0 && q.Offset < n {
			q.Limit = min(wanted, n-q.Offset)
			ids = append(ids, x.window(of, n, q)...)
			wanted -= q.Limit
		}
		q.Offset = max(0, q.Offset-n)
	}
	return ids, total
}
