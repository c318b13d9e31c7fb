package consistency

import (
	_ "embed" // the words
	"encoding/json"
	"strings"
	"sync"

	"shop.internal/pkg/base/text"
)

//go:embed words_zh.json
var wordsFile []byte

// phrase is what the rules say about a value, in English and in Chinese. %s stands for a value in it.
type phrase struct {
	before, after string // of the value
	chinese       string
}

// words are the phrases without a value, and those with one.
var words = sync.OnceValues(func() (whole map[string]string, open []phrase) {
	if err := json.Unmarshal(wordsFile, &whole); err != nil {
		panic(err)
	}
	for english, chinese := range whole {
		if before, after, with := strings.Cut(english, "%s"); with {
			open = append(open, phrase{before, after, chinese})
		}
	}
	return whole, open
})

// Worded returns what a disagreement says, its What, Found or Expected, in a language. A value stays as it is.
func Worded(finding, language string) string {
	if language == text.English {
		return finding
	}
	whole, open := words()
	if chinese, known := whole[finding]; known {
		return chinese
	}
	for _, p := range open {
		rest, begins := strings.CutPrefix(finding, p.before)
		value, ends := strings.CutSuffix(rest, p.after)
		if begins && ends && value != "" {
			return strings.Replace(p.chinese, "%s", Worded(value, language), 1)
		}
	}
	return finding
}
