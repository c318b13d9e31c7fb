package index_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/domain/catalog/search/index"
)

func texts(all []index.Candidate) (texts []string) {
	for _, c := range all {
		texts = append(texts, c.Text)
	}
	return texts
}

func TestLike(t *testing.T) {
	goods := []index.Goods{
		{ID: 1, OnSale: true, Name: "早安马克杯", Keywords: "杯子,咖啡杯"},
		{ID: 2, OnSale: true, Name: "纪念杯", Keywords: "杯子"},
		{ID: 3, OnSale: true, Name: "棉被", Keywords: "被子"},
		{ID: 4, OnSale: true, Name: "café mug 12", Keywords: "notebook"},
	}
	x := index.New(slices.Clone(goods))
	for word, want := range map[string]string{
		"beizi": "杯子", "bz": "杯子", "背子": "杯子", "makebei": "马克杯", "mkb": "马克杯", "马克怀": "马克杯",
		"克马伞": "",
		"马克":  "", "cafe": "café", "notbook": "notebook", "nootebook": "notebook", "notebooks": "notebook", "mag": "",
		"馬克懷": "马克杯", "咖啡色杯": "咖啡杯", "zzzz": "", "": "",
	} {
		found := append(texts(x.Like(word)), "")
		require.Equal(t, want, found[0], word)
	}
	require.Equal(t, []string{"杯子", "被子"}, texts(x.Like("beizi")), "the one that more goods have is the first")
	x.Apply(nil, []int64{1, 2})
	require.Equal(t, []string{"被子"}, texts(x.Like("beizi")))
	require.Empty(t, x.Like("马克怀"))
	x.Apply(goods[:1], nil)
	require.Equal(t, "马克杯", x.Like("马克怀")[0].Text)
}

// One edit of a word is always found.
func TestOneEditIsFound(t *testing.T) {
	letters := rapid.SampledFrom([]rune("杯壶茶ab"))
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SliceOfN(letters, 5, 8).Draw(t, "word")
		x := index.NewWords()
		x.Add(string(word), 1)
		at := rapid.IntRange(0, len(word)-1).Draw(t, "at")
		edited := append([]rune{}, word[:at]...)
		switch rapid.IntRange(0, 2).Draw(t, "edit") {
		case 0:
			edited = append(edited, word[at+1:]...)
		case 1:
			edited = append(append(edited, '伞'), word[at:]...)
		default:
			edited = append(append(edited, '伞'), word[at+1:]...)
		}
		require.Equal(t, []string{string(word)}, texts(x.Like(string(edited))), string(edited))
	})
}

// Very many words are bounded, and those that many goods have are kept.
func TestManyWords(t *testing.T) {
	x := index.New(many(100_000))
	found := x.Like("茶杯地")
	require.Equal(t, "茶杯的", found[0].Text)
}
