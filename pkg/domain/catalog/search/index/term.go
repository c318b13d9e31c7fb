package index

import (
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// term is a character of a text, or two that follow each other, as first<<32 | second.
type term uint64

// each calls f for the terms of a text, repeated ones too.
func each(text string, f func(term)) {
	var before term
	for _, r := range text {
		one := term(r) //nolint:gosec // characters are not negative
		f(one)
		if before != 0 {
			f(before<<32 | one)
		}
		before = one
	}
}

// maxList is the number of goods up to which a term has a list instead of a bitmap, which takes more memory then.
const maxList = 32

// posting is the goods that have a term.
type posting struct {
	list   []slot // ascending; nil with a bitmap
	bitmap *roaring.Bitmap
}

func (p *posting) add(at slot) {
	if p.bitmap != nil {
		p.bitmap.Add(at)
		return
	}
	n := len(p.list)
	if n > 0 && p.list[n-1] == at { // as for a term that a text repeats
		return
	}
	i, ok := n, false
	if n > 0 && p.list[n-1] > at {
		i, ok = slices.BinarySearch(p.list, at)
	}
	if ok {
		return
	}
	if n < maxList {
		p.list = slices.Insert(p.list, i, at)
		return
	}
	p.bitmap = roaring.BitmapOf(p.list...)
	p.bitmap.Add(at)
	p.list = nil
}

// append adds goods to a posting that is built; their slots ascend. They are gathered, since adding many to a bitmap
// takes less time.
func (p *posting) append(at slot) {
	const many = 512
	if n := len(p.list); n > 0 && p.list[n-1] == at {
		return
	}
	if p.list = append(p.list, at); len(p.list) == many {
		p.flush()
	}
}

func (p *posting) flush() {
	if p.bitmap == nil {
		p.bitmap = roaring.New()
	}
	p.bitmap.AddMany(p.list)
	p.list = p.list[:0]
}

// built ends the building.
func (p *posting) built() {
	if p.bitmap == nil && len(p.list) <= maxList {
		p.list = slices.Clone(p.list) // of no larger capacity
		return
	}
	p.flush()
	p.list = nil
}

func (p *posting) remove(at slot) {
	if p.bitmap != nil {
		p.bitmap.Remove(at)
	} else if i, ok := slices.BinarySearch(p.list, at); ok {
		p.list = slices.Delete(p.list, i, i+1)
	}
}

// all returns the goods as a bitmap, which the caller must not change.
func (p *posting) all() *roaring.Bitmap {
	if p.bitmap != nil {
		return p.bitmap
	}
	return roaring.BitmapOf(p.list...)
}

func (p *posting) len() int {
	if p.bitmap != nil {
		return int(p.bitmap.GetCardinality()) //nolint:gosec // no more than goods
	}
	return len(p.list)
}

// terms are the goods by the terms of some of their texts, in parts that are built one after the other.
type terms struct {
	of    func(g *Goods) [2]string
	parts [parts]part
}

const parts = 4

type part struct{ postings map[term]*posting }

// newTerms returns terms of what a function returns of goods.
func newTerms(of func(g *Goods) [2]string) *terms {
	t := terms{of: of}
	for i := range t.parts {
		t.parts[i].postings = map[term]*posting{}
	}
	return &t
}

// titles are the texts that every search looks at, briefs those that one by relevance looks at, too.
func titles(g *Goods) [2]string { return [2]string{g.Name, g.Keywords} }

func briefs(g *Goods) [2]string { return [2]string{g.Brief} }

// each calls f for the terms of goods, repeated ones too.
func (t *terms) each(g *Goods, f func(term)) {
	for _, text := range t.of(g) {
		each(text, f)
	}
}

// partOf is the number of the part that has a term.
func partOf(one term) int { return int((one ^ one>>32) % parts) }

func (t *terms) find(one term) (*posting, bool) {
	p, ok := t.parts[partOf(one)].postings[one]
	return p, ok
}

func (p part) posting(one term) *posting {
	of, ok := p.postings[one]
	if !ok {
		of = new(posting)
		p.postings[one] = of
	}
	return of
}

// build fills an empty part, of which i is the number.
func (t *terms) build(goods []Goods, i int) {
	p := t.parts[i]
	var at slot
	put := func(one term) {
		if partOf(one) == i {
			p.posting(one).append(at)
		}
	}
	for n := range goods {
		at = slot(n)
		t.each(&goods[n], put)
	}
	for _, of := range p.postings {
		of.built()
	}
}

func (t *terms) add(at slot, g *Goods) {
	t.each(g, func(one term) { t.parts[partOf(one)].posting(one).add(at) })
}

func (t *terms) remove(at slot, g *Goods) {
	t.each(g, func(one term) {
		if p, ok := t.find(one); ok {
			p.remove(at)
			if p.len() == 0 {
				delete(t.parts[partOf(one)].postings, one)
			}
		}
	})
}

// candidates returns the goods that have all terms of a phrase, the caller's to keep, and whether they are those that
// contain it: of a phrase of more than two characters, they may have them in other places.
func (t *terms) candidates(phrase string) (found *roaring.Bitmap, exact bool) {
	var wanted []term
	n := 0
	each(phrase, func(one term) {
		if one>>32 != 0 {
			wanted = append(wanted, one)
		} else if n++; n == 1 {
			wanted = append(wanted, one)
		}
	})
	if n > 1 {
		wanted = wanted[1:] // the pairs imply their characters
	}
	postings := make([]*posting, len(wanted))
	for i, one := range wanted {
		p, ok := t.find(one)
		if !ok {
			return roaring.New(), true
		}
		postings[i] = p
	}
	slices.SortFunc(postings, func(a, b *posting) int { return a.len() - b.len() })
	found = postings[0].all().Clone()
	for _, p := range postings[1:] {
		found.And(p.all())
	}
	return found, n <= 2
}

// place is the text of goods in which a phrase is looked for.
type place int

const (
	inTitles  place = iota // the name or the keywords
	inName                 // the name
	wholeName              // the name, of which the phrase is the whole
	inBrief                // the brief
)

// sought is a phrase that a text of goods contains.
type sought struct {
	phrase string
	place  place
}

func (s sought) in(g *Goods) bool {
	switch s.place {
	case wholeName:
		return g.Name == s.phrase
	case inName:
		return strings.Contains(g.Name, s.phrase)
	case inBrief:
		return strings.Contains(g.Brief, s.phrase)
	case inTitles:
	}
	return strings.Contains(g.Name, s.phrase) || strings.Contains(g.Keywords, s.phrase)
}

// maxPhrases bounds the phrases whose goods are remembered.
const maxPhrases = 256

// phrases remembers the goods that contain phrases for which texts have to be compared: those of more than two
// characters, and all that are searched in names only.
type phrases struct {
	mu     *sync.Mutex
	goods  map[sought]*roaring.Bitmap
	recent []sought // the least recently found first
}

func newPhrases() phrases { return phrases{mu: new(sync.Mutex), goods: map[sought]*roaring.Bitmap{}} }

// get returns the goods of a phrase, which the caller must not change; find finds them and says whether to remember
// them.
func (p *phrases) get(phrase sought, find func() (found *roaring.Bitmap, remember bool)) *roaring.Bitmap {
	p.mu.Lock()
	known, ok := p.goods[phrase]
	p.mu.Unlock()
	if ok {
		return known
	}
	found, remember := find()
	if !remember {
		return found
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.goods[phrase]; !ok {
		if len(p.recent) == maxPhrases {
			delete(p.goods, p.recent[0])
			p.recent = slices.Delete(p.recent, 0, 1)
		}
		p.recent = append(p.recent, phrase)
	}
	p.goods[phrase] = found
	return found
}

// update looks again whether goods contain the phrases.
func (p *phrases) update(at slot, g *Goods) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for phrase, found := range p.goods {
		if phrase.in(g) {
			found.Add(at)
		} else {
			found.Remove(at)
		}
	}
}
