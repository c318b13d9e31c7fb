package main

import (
	"slices"
	"strconv"
	"strings"
)

const (
	topicFull  = topicShape + ", sortOrder int, goods list, content text" + stamps
	helpWords  = "id int, question text, answer text" + stamps
	aboutShape = "name text, address text, phone text, qq text, longitude text, latitude text"
)

// texts plays what the shop tells: itself, its topics, its answers to common questions.
func (w *walk) texts(c *chapter) {
	c.try("about the shop", func(s *step) {
		s.get(w.guest, "/wx/home/about").ok().shape(aboutShape)
		s.get(w.guest, "/wx/index/index").ok().text()
		s.get(w.guest, "/wx/home/cache").fails(503)
	})
	c.try("topics", w.topics)
	c.try("help", func(s *step) {
		rows := s.all(w.guest, "/wx/issue/list", 4)
		if len(rows) == 0 {
			s.fatalf(nil, "the demo shop answers no question")
		}
		part := string([]rune(rows[0].shape(helpWords).at("question").text())[:2])
		found := s.get(w.guest, "/wx/issue/list", "question", part, "size", 1000).page()
		equal(s, found.ex, "limit by the name size", 1000, found.limit)
		want := 0
		for _, row := range rows {
			if strings.Contains(row.at("question").text(), part) {
				want++
			}
		}
		equal(s, found.ex, "questions that contain "+strconv.Quote(part), want, len(found.each(helpWords)))
		none := s.get(w.guest, "/wx/issue/list", "question", "%").page()
		equal(s, none.ex, "questions that contain a wildcard of the database", 0, none.total)
	})
}

// topics reads every topic with its goods and its neighbours.
func (w *walk) topics(s *step) {
	rows := s.all(w.guest, "/wx/topic/list", 3)
	if len(rows) == 0 {
		s.fatalf(nil, "the demo shop has no topic")
	}
	for _, row := range rows {
		row.shape(topicShape)
		s.see(row)
		id := row.at("id").integer()
		data := s.get(w.guest, "/wx/topic/detail", "id", id).ok()
		topic := data.at("topic").shape(topicFull)
		equal(s, data.ex, "topic.id", id, topic.at("id").integer())
		equal(s, data.ex, "topic.title", row.at("title").text(), topic.at("title").text())
		equal(s, data.ex, "userHasCollect of a guest", 0, data.at("userHasCollect").integer())
		named := []int64{}
		for _, goods := range topic.at("goods").list() {
			named = append(named, goods.integer())
		}
		for i, goods := range data.at("goods").each(goodsSummary) {
			if !slices.Contains(named, goods.at("id").integer()) {
				s.failf(data.ex, "goods[%d]: not one that the topic names", i)
			}
		}
		s.see(data.at("goods"))
		related := s.get(w.guest, "/wx/topic/related", "id", id).page()
		equal(s, related.ex, "limit by default", 4, related.limit)
		for _, other := range related.each(topicFull) {
			if other.at("id").integer() == id {
				s.failf(related.ex, "%s: the topic itself", other.path)
			}
		}
	}
	s.get(w.guest, "/wx/topic/detail").fails(401)
	s.get(w.guest, "/wx/topic/detail", "id", missing).fails(402)
	s.get(w.guest, "/wx/topic/related").fails(401)
}
