package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"shop.internal/pkg/base/hanzi"
)

const (
	// maxWords bounds the words that are known, of some 300 bytes each; those of most goods stay.
	maxWords = 30_000
	// maxLearned is the number of goods of which all words are counted; of more, only those of a part.
	maxLearned = 50_000
	// maxWord is the number of characters of the longest word.
	maxWord = 8
	// maxLike bounds the candidates for a word.
	maxLike = 20
)

// What a word counts for the goods that have it: a keyword was chosen, and a Chinese name ends with what it names.
const (
	asPart    = 1
	asEnd     = 2
	asKeyword = 4
)

// Candidate is a word that another one may mean.
type Candidate struct {
	Text string
	// Way is how it is like the other: spelled or read the same, the same first letters of its syllables, one
	// character replaced or left out, or one too many. Less is likelier.
	Way int
	// Score is how much the goods use it.
	Score int
}

// The ways.
const (
	SameSound = iota
	SameInitials
	OneEdit
	OneTooMany
)

// Compare orders candidates, the likeliest first.
func (c Candidate) Compare(other Candidate) int {
	return cmp.Or(cmp.Compare(c.Way, other.Way), cmp.Compare(other.Score, c.Score), strings.Compare(c.Text, other.Text))
}

// Words are the words of texts, found by others that are like them. They are not safe for concurrent use with Add.
type Words struct {
	score map[string]int
	// step is such that only goods count whose id is a multiple of it.
	step int64
	// keys are the words by what they have in common with others.
	keys map[string][]string
}

// NewWords returns no words.
func NewWords() *Words { return &Words{score: map[string]int{}, step: 1, keys: map[string][]string{}} }

// Add adds to the score of a word; a new one is ignored when there are very many, and one without a score is forgotten.
func (w *Words) Add(word string, score int) {
	now, known := w.score[word]
	switch {
	case now+score <= 0:
		if known {
			delete(w.score, word)
			w.unlink(word)
		}
	case known:
		w.score[word] = now + score
	case len(w.score) < maxWords:
		word = strings.Clone(word) // of a text that may go
		w.score[word] = score
		w.link(word)
	}
}

// counts reports whether the words of goods are counted.
func (w *Words) counts(g *Goods) bool { return g.ID%w.step == 0 }

// add adds the words of goods to the scores, or subtracts them with the sign -1.
func (w *Words) add(g *Goods, sign int) {
	if !w.counts(g) {
		return
	}
	wordsOf(g, func(word string, score int) { w.Add(word, sign*score) })
}

// learn is add for many goods, while there are no words. Whenever there are too many, the rarest are forgotten.
func (w *Words) learn(goods []Goods) {
	w.step = 1 + int64(len(goods)/maxLearned)
	all := map[string]int{}
	for i := range goods {
		if !w.counts(&goods[i]) {
			continue
		}
		wordsOf(&goods[i], func(word string, score int) { all[word] += score })
		if len(all) > 4*maxWords {
			forget(all, 2*maxWords)
		}
	}
	forget(all, maxWords)
	for word, score := range all {
		w.Add(word, score)
	}
}

// forget removes the words of the least scores until at most some are left.
func forget(all map[string]int, most int) {
	for least := 1; len(all) > most; least++ {
		maps.DeleteFunc(all, func(_ string, score int) bool { return score <= least })
	}
}

// wordsOf calls f for the words of goods: the keywords, and of the name what stands between blanks or digits, and each
// two to four Chinese characters in it.
func wordsOf(g *Goods, f func(word string, score int)) {
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) }
	for word := range strings.FieldsFuncSeq(g.Keywords, other) {
		if utf8.RuneCountInString(word) <= maxWord {
			f(word, asKeyword)
		}
	}
	for text := range strings.FieldsFuncSeq(g.Name, other) {
		for text != "" {
			run := runOf(text)
			text = text[len(run):]
			partsOf(run, f)
		}
	}
}

// runOf returns the beginning of a text that is Chinese characters only, or has none.
func runOf(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	end := strings.IndexFunc(text, func(r rune) bool { return hanzi.Is(r) != hanzi.Is(first) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// partsOf calls f for the words of a run.
func partsOf(run string, f func(word string, score int)) {
	const shortest, longest = 2, 4
	n := utf8.RuneCountInString(run)
	first, _ := utf8.DecodeRuneInString(run)
	if n >= shortest && n <= maxWord && (n > longest || !hanzi.Is(first)) {
		f(run, asEnd)
	}
	if !hanzi.Is(first) {
		return
	}
	for from := range run {
		to := from
		for length := 1; length <= longest && to < len(run); length++ {
			_, size := utf8.DecodeRuneInString(run[to:])
			to += size
			switch {
			case length < shortest:
			case to == len(run):
				f(run[from:to], asEnd)
			default:
				f(run[from:to], asPart)
			}
		}
	}
}

// link makes a word known by its keys.
func (w *Words) link(word string) {
	for _, key := range keysOf(word) {
		w.keys[key] = append(w.keys[key], word)
	}
}

// unlink is the opposite of link.
func (w *Words) unlink(word string) {
	for _, key := range keysOf(word) {
		left := slices.DeleteFunc(w.keys[key], func(one string) bool { return one == word })
		if len(left) == 0 {
			delete(w.keys, key)
		} else {
			w.keys[key] = left
		}
	}
}

// What the keys begin with: how a word is spelled or read, the first letters of its syllables, its beginning, its end.
const (
	soundKey, initialsKey = "=", "~"
	beginKey, endKey      = "<", ">"
)

func keysOf(word string) (keys []string) {
	plain := hanzi.Plain(word)
	if plain != word {
		keys = append(keys, soundKey+plain)
	}
	if whole, initials := hanzi.Pinyin(plain); whole != "" {
		keys = append(keys, soundKey+whole)
		if len(initials) > 1 {
			keys = append(keys, initialsKey+initials)
		}
	}
	// A word that differs by one edit has the first half or the second half of the other. The other has as many
	// characters, one more or one less.
	text := []rune(plain)
	n := len(text)
	for half := (n - 1) / 2; half <= (n+1)/2; half++ {
		if half > 0 {
			keys = append(keys, beginKey+string(text[:half]))
		}
	}
	for half := n / 2; half <= n/2+1; half++ {
		if half > 0 && half <= n {
			keys = append(keys, endKey+string(text[n-half:]))
		}
	}
	return keys
}

// Like returns the words that a word may mean, at most twenty, the likeliest first. It is none of them.
func (w *Words) Like(word string) []Candidate {
	plain := hanzi.Plain(word)
	ways := map[string]int{}
	found := func(key string, way int) {
		for _, one := range w.keys[key] {
			if known, ok := ways[one]; !ok || way < known {
				ways[one] = way
			}
		}
	}
	found(soundKey+plain, SameSound)
	if whole, _ := hanzi.Pinyin(plain); whole != "" {
		found(soundKey+whole, SameSound)
	}
	found(initialsKey+plain, SameInitials)
	for _, one := range w.edited([]rune(plain)) {
		if _, ok := ways[one]; !ok {
			ways[one] = OneEdit
			if utf8.RuneCountInString(one) < utf8.RuneCountInString(plain) {
				ways[one] = OneTooMany
			}
		}
	}
	delete(ways, word)
	all := make([]Candidate, 0, len(ways))
	for text, way := range ways {
		all = append(all, Candidate{text, way, w.score[text]})
	}
	slices.SortFunc(all, Candidate.Compare)
	return all[:min(maxLike, len(all))]
}

// edited returns the words that differ from a text by one edit. A short text has too many neighbours that mean
// something else.
func (w *Words) edited(text []rune) (found []string) {
	shortest := 4
	if len(text) > 0 && hanzi.Is(text[0]) {
		shortest = 3
	}
	if len(text) < shortest || len(text) > maxWord+1 {
		return nil
	}
	half := len(text) / 2
	for _, key := range []string{beginKey + string(text[:half]), endKey + string(text[half:])} {
		for _, one := range w.keys[key] {
			if oneEdit(text, []rune(hanzi.Plain(one))) {
				found = append(found, one)
			}
		}
	}
	return found
}

// oneEdit reports whether a text becomes another by adding, removing or replacing one character.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	if len(a) == len(b) {
		return same < len(a) && slices.Equal(a[same+1:], b[same+1:])
	}
	return slices.Equal(a[same:], b[same+1:])
}
