package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/envelope"
)

// answer is the answer of an operation to a guest. data is empty for one that is as it was.
type answer struct {
	tag  string
	data json.RawMessage
}

// errMissing says that the shop has no such goods, category, brand or topic.
var errMissing = errors.New("what the page is about does not exist")

// errUnanswered says that an operation has not answered, of which the log has the reason.
var errUnanswered = errors.New("the page has no content now")

// answers returns what a page is made of. Where all answers are those with the tags, they are returned without data.
func (p *Pages) answers(r *http.Request, k *kind, id string, tags []string) ([]answer, error) {
	if k.kept == nil {
		return p.askAll(r, k.asks(id), tags)
	}
	body, err := p.inMemory(r.Context(), k, id)
	switch {
	case errors.Is(err, errno.GoodsUnknown):
		return nil, errMissing
	case err != nil:
		p.report(err)
		return nil, errUnanswered
	case len(tags) == 1 && tags[0] == body.Tag():
		return []answer{{tag: tags[0]}}, nil
	}
	return []answer{{body.Tag(), body.Data()}}, nil
}

// inMemory returns an answer that is kept in memory, or reads it within the places of reads.
func (p *Pages) inMemory(ctx context.Context, k *kind, id string) (*envelope.Body, error) {
	var ticket admission.Ticket
	if p.Admission != nil {
		p.Admission.Issue(&ticket, admission.Read)
		defer ticket.End()
	}
	return k.kept(context.WithValue(ctx, admission.Key{}, &ticket), p, id)
}

func keptHome(ctx context.Context, p *Pages, _ string) (*envelope.Body, error) {
	page, err := p.Home.Get(ctx)
	return page.Body(), err
}

func keptGoods(ctx context.Context, p *Pages, id string) (*envelope.Body, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read the number of a page: %w", err)
	}
	page, err := p.Goods.Get(ctx, number)
	return page.Body(), err
}

// askAll asks operations as a guest does. Where all answers are those with the tags, they are returned without data.
func (p *Pages) askAll(r *http.Request, addresses, tags []string) ([]answer, error) {
	if len(tags) != len(addresses) {
		tags = make([]string, len(addresses))
	}
	answers, same := make([]answer, len(addresses)), 0
	for i, address := range addresses {
		a, err := p.ask(r, address, tags[i])
		if err != nil {
			return nil, err
		}
		if a.data == nil {
			same++
		}
		answers[i] = a
	}
	if same == len(answers) {
		return answers, nil
	}
	for i, a := range answers {
		if a.data != nil {
			continue
		}
		var err error
		if answers[i], err = p.ask(r, addresses[i], ""); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func tagsOf(answers []answer) []string {
	tags := make([]string, len(answers))
	for i, a := range answers {
		tags[i] = a.tag
	}
	return tags
}

// origins of a request are the headers that say where it comes from. No other header of a caller reaches an operation.
var origins = []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip"}

// ask asks one operation. It fails with errMissing or errUnanswered.
func (p *Pages) ask(r *http.Request, address, tag string) (answer, error) {
	//nolint:gosec // the address is a path of the table with a number, and no network is asked
	q, err := http.NewRequestWithContext(r.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return answer{}, fmt.Errorf("ask %s: %w", address, err)
	}
	q.RemoteAddr = r.RemoteAddr
	for _, name := range origins {
		if values := r.Header[name]; values != nil {
			q.Header[name] = values
		}
	}
	if tag != "" {
		q.Header["If-None-Match"] = []string{tag}
	}
	w := recorder{header: http.Header{}, status: http.StatusOK}
	p.Service.ServeHTTP(&w, q)
	if w.status == http.StatusNotModified {
		return answer{tag: tag}, nil
	}
	if w.status != http.StatusOK {
		return answer{}, errUnanswered
	}
	var e struct {
		Errno int             `json:"errno"`
		Data  json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(w.body.Bytes(), &e); err != nil {
		return answer{}, fmt.Errorf("read the answer of %s: %w", address, err)
	}
	switch e.Errno {
	case errno.OK.Num:
		return answer{w.header.Get("ETag"), e.Data}, nil
	case errno.GoodsUnknown.Num, errno.Invalid.Num:
		return answer{}, errMissing
	}
	return answer{}, errUnanswered
}

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header         { return w.header }
func (w *recorder) WriteHeader(status int)      { w.status = status }
func (w *recorder) Write(b []byte) (int, error) { return w.body.Write(b) }
