package system

import (
	"context"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

type booksHandlers struct{ Deps }

// Jobs are the scheduled jobs of the shop.
type Jobs interface {
	// JobStates returns what they did last.
	JobStates(ctx context.Context) ([]job.State, error)
	// RetryRowOnce makes a row due again that a job has set aside. It fails with errno.Stale for any other.
	RetryRowOnce(ctx context.Context, name string, row int64) error
}

// mostRows is the maximum number of rows of a list.
const mostRows = 200

// booksOps declares the operations.
func booksOps(d Deps) []op.Op {
	h := booksHandlers{d}
	return append([]op.Op{
		op.Read[op.None, []Check]{
			Path: "/admin/books/checks", Title: "List the last checks of the books, the newest first",
			Access: op.Permit("admin:books:list", menu.Books(), menu.Query()), Budget: 2, Do: h.checks,
		},
		op.Write[op.None, op.None]{
			Path: "/admin/books/check", Title: "Check the books in the background, unless a check runs already",
			Access: op.Permit("admin:books:check", menu.Books(), menu.Button("check-now")),
			Audit:  op.Audit{Target: "book_check", Kind: logkind.Other, Action: text.ForAction("books-check")},
			Budget: 7, Do: h.check,
		},
	}, h.jobOps()...)
}

// Check is a verification of the books.
type Check struct {
	ID      int64 `json:"id"`
	AdminID int64 `json:"adminId" show:"of=admin" doc:"Who asked for it; 0 for the nightly one."`
	Running bool  `json:"running" doc:"Whether it was asked for or runs."`
	// Part, PartsDone and PartCount are how far it is.
	Part      string    `json:"part" doc:"The table that it reads."`
	PartsDone int       `json:"partsDone"`
	PartCount int       `json:"partCount" doc:"0 if it has not begun."`
	Found     int       `json:"found" doc:"Rows that disagree."`
	Findings  []Finding `json:"findings" doc:"The first of them."`
	Failure   string    `json:"failure" doc:"Why it ended before all was verified, for who looks after the program."`
	AddTime   wire.Time `json:"addTime"`
	StartTime wire.Time `json:"startTime"`
	EndTime   wire.Time `json:"endTime"`
}

// Finding is a row that disagrees with the others.
type Finding struct {
	Target   string `json:"target" doc:"The table."`
	Area     string `json:"area" doc:"The area of the console that the table belongs to; empty for none."`
	Key      string `json:"key" doc:"The row: its id, or its key columns joined by a slash."`
	What     string `json:"what" doc:"The column, or what was counted."`
	Label    string `json:"label" doc:"Its name for people, in the caller's language."`
	Found    string `json:"found" doc:"What it is; words are in the caller's language."`
	Expected string `json:"expected" doc:"What it should be, likewise."`
	Text     string `json:"text" doc:"All of that as a sentence in the caller's language."`
}

func (h booksHandlers) checks(ctx context.Context, _ op.None) ([]Check, error) {
	all, err := h.Report.Checks(ctx)
	if err != nil {
		return nil, err
	}
	out, language, areas := make([]Check, len(all)), op.LanguageOf(ctx, h.Language), h.Registry().Targets()
	for i, c := range all {
		found, err := c.Disagreements()
		if err != nil {
			return nil, err
		}
		out[i] = Check{
			ID: c.ID, AdminID: c.AdminID, Running: c.Live, Part: c.Part, PartsDone: c.PartsDone, PartCount: c.PartCount,
			Found: c.Found, Failure: c.Failure, AddTime: h.Zone.At(c.AddTime), StartTime: h.Zone.At(c.StartTime),
			EndTime: h.Zone.At(c.EndTime),
			Findings: wire.Each(found, func(f consistency.Disagreement) Finding {
				label := column(f.What, language)
				is, should := consistency.Worded(f.Found, language), consistency.Worded(f.Expected, language)
				return Finding{
					Target: f.Table, Area: areas[f.Table], Key: f.Key, What: f.What, Label: label, Found: is, Expected: should,
					Text: text.BookDiffers.In(language, f.Table, f.Key, label, is, should),
				}
			}),
		}
	}
	return out, nil
}

// column is what disagrees, for people: the label of a column that has one, with what it was compared with.
func column(what, language string) string {
	name, _, _ := strings.Cut(what, " (")
	worded := consistency.Worded(what, language)
	if f := text.FieldNamed(name); f != nil {
		return strings.Replace(worded, name, f.Title(language), 1)
	}
	return worded
}

func (h booksHandlers) check(ctx context.Context, _ op.None) (op.None, error) {
	_, err := h.Report.Request(ctx, auth.Operator(ctx).ID)
	return op.None{}, err
}

// jobOps are the operations on jobs and side effects.
func (h booksHandlers) jobOps() []op.Op {
	reads := op.SharedPermit("admin:job:list")
	return []op.Op{
		op.Read[op.None, []Job]{
			Path: "/admin/job/states", Title: "Show what the scheduled jobs did last",
			Access: op.Permit("admin:job:list", menu.Books(), menu.Button("jobs")), Budget: 3, Do: h.states,
		},
		op.Read[op.None, []Failure]{
			Path: "/admin/job/failures", Title: "List the rows that jobs could not handle, the oldest first",
			Access: reads, Budget: 2, Do: h.failures,
		},
		op.Read[op.None, []Letter]{
			Path: "/admin/job/letters", Title: "List the side effects that were given up, the oldest first",
			Access: reads, Budget: 2, Do: h.letters,
		},
		op.Write[Retry, op.None]{
			Path: "/admin/job/retry", Title: "Let a job retry a row that it could not handle",
			Access:           op.Permit("admin:job:retry", menu.Books(), menu.Button("retry")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.job-retry",
			Audit:            op.Audit{Target: "job_failure", Kind: logkind.Other, Action: text.ForAction("job-retry")},
			Budget:           7, Do: h.retry,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/job/resend", Title: "Deliver a side effect that was given up again",
			Access: op.SharedPermit("admin:job:retry"), Fails: []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.job-resend",
			Audit:            op.Audit{Target: "outbox_event", Kind: logkind.Other, Action: text.ForAction("event-retry")},
			Budget:           7, Do: h.resend,
		},
	}
}

// Job is a scheduled job.
type Job struct {
	Name    string    `json:"name"`
	Does    string    `json:"does" doc:"What it does, in English."`
	Every   int64     `json:"every" doc:"Its period in seconds."`
	Running bool      `json:"running"`
	Start   wire.Time `json:"lastStart"`
	End     wire.Time `json:"lastEnd"`
	Note    string    `json:"note" doc:"How many records it changed, and why it failed if it did."`
	Failed  bool      `json:"failed" doc:"Whether its last run failed."`
	Lag     int64     `json:"lag" doc:"Seconds by which it is late; 0 if it is in time or has never run."`
	Aside   int64     `json:"aside" doc:"Rows that it could not handle."`
}

func (h booksHandlers) states(ctx context.Context, _ op.None) ([]Job, error) {
	all, err := h.Jobs.JobStates(ctx)
	return wire.Each(all, func(s job.State) Job {
		return Job{
			Name: s.Name, Does: s.Does, Every: int64(s.Every.Seconds()), Running: s.Running, Start: h.Zone.At(s.Start),
			End: h.Zone.At(s.End), Note: s.Note, Failed: s.Failed(), Lag: int64(s.Lag.Seconds()), Aside: s.Aside,
		}
	}), err
}

// Failure is a row that a job could not handle.
type Failure struct {
	Job       string    `json:"job"`
	ID        int64     `json:"id" doc:"The row."`
	Tries     int       `json:"tries"`
	Cause     string    `json:"cause"`
	AddTime   wire.Time `json:"addTime"`
	RetryTime wire.Time `json:"retryTime"`
}

func (h booksHandlers) failures(ctx context.Context, _ op.None) ([]Failure, error) {
	all, err := h.Failures.List(ctx, mostRows)
	return wire.Each(all, func(f job.Failure) Failure {
		return Failure{
			Job: f.Job, ID: f.RowID, Tries: f.Tries, Cause: f.LastError, AddTime: h.Zone.At(f.AddTime),
			RetryTime: h.Zone.At(f.RetryTime),
		}
	}), err
}

// Letter is a side effect that was given up.
type Letter struct {
	ID    int64  `json:"id"`
	Topic string `json:"event" doc:"What is to be done."`
	Key   string `json:"key"`
	RowID int64  `json:"rowId" doc:"The row that it is about; 0 for none."`
	Tries int    `json:"tries"`
}

func (h booksHandlers) letters(ctx context.Context, _ op.None) ([]Letter, error) {
	all, err := h.Outbox.Pending(ctx, true, mostRows)
	return wire.Each(all, func(e outbox.Event) Letter {
		return Letter{ID: e.ID, Topic: e.Topic, Key: e.Key, RowID: e.Aggregate, Tries: e.Attempts}
	}), err
}

// Retry is the body of /admin/job/retry.
type Retry struct {
	Job string `json:"job" check:"required,maxLength=63"`
	ID  int64  `json:"id" check:"required" doc:"The row."`
}

func (h booksHandlers) retry(ctx context.Context, r Retry) (op.None, error) {
	return op.None{}, h.Jobs.RetryRowOnce(ctx, r.Job, r.ID)
}

func (h booksHandlers) resend(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Orders.RetryEvent(ctx, r.ID)
}
