package main

import "strings"

const (
	keywordShape = "id int, keyword text, url text, isHot bool, isDefault bool, sortOrder int" + stamps
	historyShape = "id int, keyword text, addTime time"
	searchPage   = "/wx/search/index"
	searchClear  = "/wx/search/clearhistory"
)

// search plays the page of words to search for, the suggestions, the results and the history of a shopper.
func (w *walk) search(c *chapter) {
	var word string
	c.step("words to search for", func(s *step) {
		s.need(w.first != nil, "shopper")
		data := s.get(w.guest, searchPage).ok()
		if data.at("defaultKeyword").shape("keyword text").at("keyword").text() == "" {
			s.failf(data.ex, "defaultKeyword.keyword is empty in the demo shop")
		}
		equal(s, data.ex, "history of a guest", 0, len(data.at("historyKeywordList").list()))
		hot := data.at("hotKeywordList").each(keywordShape)
		if len(hot) == 0 {
			s.fatalf(data.ex, "hotKeywordList is empty in the demo shop")
		}
		for _, row := range hot {
			equal(s, data.ex, row.path+".isHot", true, row.at("isHot").truth())
		}
		word = hot[0].at("keyword").text()
	})
	c.try("suggestions", func(s *step) {
		part := string([]rune(word)[:1])
		suggested := s.get(w.guest, "/wx/search/helper", "keyword", part).ok()
		found := false
		for _, text := range suggested.texts() {
			found = found || text == word
			if !strings.Contains(text, part) {
				s.failf(suggested.ex, "%q does not contain %q", text, part)
			}
		}
		equal(s, suggested.ex, "the hot word is suggested for its beginning", true, found)
		none := s.get(w.guest, "/wx/search/helper", "keyword", "%").ok()
		equal(s, none.ex, "suggestions for a wildcard of the database", 0, len(none.texts()))
		s.get(w.guest, "/wx/search/helper").fails(401)
		s.get(w.guest, "/wx/search/helper", "keyword", " ").fails(401)
	})
	c.try("results are those of the goods list", func(s *step) {
		queries := [][]any{{"keyword", word}, {"limit", 3, "sort", "retail_price", "order", "asc"}, {"isHot", true}}
		for _, query := range queries {
			list := s.get(w.guest, "/wx/goods/list", query...)
			list.page()
			s.same("search/result", s.get(w.guest, "/wx/search/result", query...), list)
		}
		s.get(w.guest, "/wx/search/result", "sort", "password").fails(402)
	})
	c.try("the history remembers and forgets", func(s *step) {
		me := w.first.agent
		s.post(me, searchClear, fields{"any": "thing"}).none()
		s.remembers()
		other := s.stock()[0].name
		s.get(me, "/wx/goods/list", "keyword", word).page()
		s.remembers(word)
		s.get(me, "/wx/goods/list", "keyword", other).page()
		s.remembers(other, word)
		s.post(me, searchClear, "").none()
		s.remembers()
		s.post(me, searchClear, "{}").none()
		s.post(w.guest, searchClear, "{}").fails(501)
	})
}

// remembers expects these words in the history of the first shopper. Words of one second may come in any order.
func (s *step) remembers(words ...string) {
	var rows []value
	agree := within(pageLag, func() bool {
		rows = s.get(s.w.first.agent, searchPage).ok().at("historyKeywordList").each(historyShape)
		got := map[string]bool{}
		for _, row := range rows {
			got[row.at("keyword").text()] = true
		}
		for _, word := range words {
			if !got[word] {
				return false
			}
		}
		return len(rows) == len(words)
	})
	if !agree {
		s.failf(s.last, "history: expected %q, got %d words", words, len(rows))
	}
}
