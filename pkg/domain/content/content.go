// Package content owns what editors put on pages: banners, topics, help questions and the search words that the shop
// proposes. Times of a banner are tested at every read, so that none appears early or stays late.
package content

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
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
	db  *db.DB
	now func() time.Time
}

// New returns the desk on a pool.
func New(d *db.DB, now func() time.Time) *Service { return &Service{db: d, now: now} }

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

// FindQuestions lists the help questions that contain a text, all of them for an empty one. Sort is add_time or id.
func (s *Service) FindQuestions(ctx context.Context, text string, q page.Query) (page.List[Question], error) {
	return page.Fetch(q, func() (int64, error) { return countQuestions(ctx, s.db, text) },
		func(q page.Query) ([]Question, error) { return listQuestions(ctx, s.db, text, q) })
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

// CreateBanner adds a banner and returns its id.
func (s *Service) CreateBanner(ctx context.Context, b Banner) (int64, error) {
	return s.create(ctx, func(tx *db.Tx) (int64, error) { return insertBanner(ctx, tx, b, s.clock()) })
}

// CreateTopic adds a topic and returns its id. Its content is stored as it stands, so only the shop itself may write
// it. It fails with errno.Invalid for a price that no column holds.
func (s *Service) CreateTopic(ctx context.Context, t Topic) (int64, error) {
	if t.Price < 0 || t.Price > money.Max {
		return 0, fmt.Errorf("create a topic of price %s: %w", t.Price, errno.Invalid)
	}
	return s.create(ctx, func(tx *db.Tx) (int64, error) { return insertTopic(ctx, tx, t, s.clock()) })
}

// CreateQuestion adds a help question and returns its id.
func (s *Service) CreateQuestion(ctx context.Context, q Question) (int64, error) {
	return s.create(ctx, func(tx *db.Tx) (int64, error) { return insertQuestion(ctx, tx, q, s.clock()) })
}

func (s *Service) create(ctx context.Context, insert func(tx *db.Tx) (int64, error)) (id int64, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err = insert(tx)
		return err
	})
	return id, err
}
