// Package content owns what editors put on pages: banners, topics, help questions and the search words that the shop
// proposes. Times of a banner are tested at every read, so that none appears early or stays late.
package content

import (
	"context"
	"time"

	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

// Home is the position of the banners of the home page, the only one there is.
const Home = 1

// Banner is an advertisement with the time it is shown; a zero time is no bound.
type Banner struct {
	ID                       int64
	Name, Link, URL, Content string
	Position                 int
	Enabled                  bool
	StartTime, EndTime       time.Time
	AddTime, UpdateTime      time.Time
	Version                  int
}

// TopicSummary is a topic as lists show it.
type TopicSummary struct {
	ID                                 int64
	Title, Subtitle, ReadCount, PicURL string
	Price                              money.Amount
}

// Topic is an editorial text with the goods it recommends. Content is HTML.
type Topic struct {
	TopicSummary
	SortOrder           int
	Goods               []int64
	Content             string
	AddTime, UpdateTime time.Time
	Version             int
}

// Question is a help question with its answer.
type Question struct {
	ID                  int64
	Question, Answer    string
	AddTime, UpdateTime time.Time
	Version             int
}

// Keyword is a search word that the shop proposes.
type Keyword struct {
	ID                  int64
	Word, URL           string
	Hot, Default        bool
	SortOrder           int
	AddTime, UpdateTime time.Time
	Version             int
}

// Service is the editors' desk.
type Service struct {
	db   *db.DB
	once *idempotency.Store
	now  func() time.Time
}

// New returns the desk on a pool; once keeps the answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	return &Service{db: d, once: once, now: now}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// Banners returns the banners of the home page that are to be shown now, by id.
func (s *Service) Banners(ctx context.Context) ([]Banner, error) {
	return bannersAt(ctx, s.db, Home, s.clock())
}

// Topics returns the newest n topics.
func (s *Service) Topics(ctx context.Context, n int) ([]TopicSummary, error) {
	return newestTopics(ctx, s.db, n)
}

// Questions returns the first n help questions.
func (s *Service) Questions(ctx context.Context, n int) ([]Question, error) {
	return firstQuestions(ctx, s.db, n)
}

// ListTopics lists topics. Sort is add_time or id.
func (s *Service) ListTopics(ctx context.Context, q page.Query) (page.List[TopicSummary], error) {
	return page.Fetch(q, func() (int64, error) { return countTopics(ctx, s.db, 0) },
		func(q page.Query) ([]TopicSummary, error) { return listTopics(ctx, s.db, q) })
}

// OtherTopics lists all topics but one, whole. Sort is add_time or id.
func (s *Service) OtherTopics(ctx context.Context, except int64, q page.Query) (page.List[Topic], error) {
	return page.Fetch(q, func() (int64, error) { return countTopics(ctx, s.db, except) },
		func(q page.Query) ([]Topic, error) { return otherTopics(ctx, s.db, except, q) })
}

// Topic returns a topic. It fails with errno.Invalid.
func (s *Service) Topic(ctx context.Context, id int64) (Topic, error) {
	return findTopic(ctx, s.db, id)
}

// TopicExists reports whether a topic is there.
func TopicExists(ctx context.Context, q db.Querier, id int64) (bool, error) {
	return topicExists(ctx, q, id)
}

// ProposedKeywords returns the keywords that are hot or the default, in display order.
func (s *Service) ProposedKeywords(ctx context.Context) ([]Keyword, error) {
	return proposedKeywords(ctx, s.db)
}

// KeywordsLike returns a window of the different keywords that contain a text, in display order. The text is taken
// literally, in any case.
func (s *Service) KeywordsLike(ctx context.Context, text string, q page.Query) ([]string, error) {
	return keywordsLike(ctx, s.db, text, q)
}
