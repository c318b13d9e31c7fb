package order

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/terms"
)

// Operators search orders by a part of the recipient's name. Scanning the names of a million orders takes most of a
// second, so the names, each once, have an index of terms. A job adds the names of new orders, which costs a purchase
// nothing; those that it has not read yet are few and are scanned.

// recipientTerm is a term of a name.
type recipientTerm struct {
	Term string `gorm:"primaryKey"`
	Name string `gorm:"primaryKey"`
}

var recipientTerms = table.Of[recipientTerm]("order_recipient")

const (
	// ScopeRecipients is the id of the last order whose recipient is in the index.
	ScopeRecipients = "orders:recipients"
	// gracePeriod is the age from which no order with a smaller id can still be committed.
	gracePeriod = 2 * time.Minute
	// recipientBatch is the number of orders that are read at a time.
	recipientBatch = 5000
	// frequentNames is the number of names up to which those with a term are counted.
	frequentNames = 100_000
)

// IndexRecipients adds the recipients of a batch of new orders to the index and returns the number of orders.
func (s *Service) IndexRecipients(ctx context.Context) (int, error) {
	last, err := counter.Stored(ctx, s.DB, ScopeRecipients)
	if err != nil {
		return 0, fmt.Errorf("read how far the recipients are indexed: %w", err)
	}
	var batch []struct {
		ID        int64
		Consignee string
		AddTime   time.Time
	}
	err = table.Scan(ctx, s.DB, &batch, "SELECT id, consignee, add_time FROM orders WHERE id > ? ORDER BY id LIMIT ?",
		last, recipientBatch)
	if err != nil {
		return 0, fmt.Errorf("read new orders: %w", err)
	}
	until := s.Now().Add(-gracePeriod)
	n := 0
	names := map[string]bool{}
	for ; n < len(batch) && batch[n].AddTime.Before(until); n++ {
		names[batch[n].Consignee] = true
		last = batch[n].ID
	}
	if n == 0 {
		return 0, nil
	}
	rows := termsOfNames(names)
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := recipientTerms.UpsertAll(ctx, tx, rows, "term = VALUES(term)"); err != nil {
			return fmt.Errorf("index the recipients of orders: %w", err)
		}
		return counter.Store(ctx, tx, ScopeRecipients, last, s.Now())
	})
	return n, err
}

// termsOfNames returns the rows of names in the order of the key.
func termsOfNames(names map[string]bool) []recipientTerm {
	var rows []recipientTerm
	for name := range names {
		for _, t := range terms.Of(name) {
			rows = append(rows, recipientTerm{t, name})
		}
	}
	slices.SortFunc(rows, func(a, b recipientTerm) int {
		return strings.Compare(a.Term+"\x00"+a.Name, b.Term+"\x00"+b.Name)
	})
	return rows
}

// idsSentTo returns the statement that finds the ids of all orders, deleted ones excluded, whose recipient's name
// contains all words of a text.
func (s *Service) idsSentTo(ctx context.Context, text string) (statement string, args []any, err error) {
	last, err := counter.Stored(ctx, s.DB, ScopeRecipients)
	if err != nil {
		return "", nil, fmt.Errorf("read how far the recipients are indexed: %w", err)
	}
	matches, patterns := db.Matches(text, "consignee")
	scan := func(index string) string {
		return "SELECT id FROM orders FORCE INDEX (" + index + ") WHERE deleted = 0 AND " + matches
	}
	words := terms.OfWords(form.Words(text))
	if last == 0 || len(words) == 0 {
		return scan("ix_orders_consignee"), patterns, nil
	}
	rarest := words[0]
	if len(words) > 1 {
		found, err := terms.Rarest(ctx, s.DB, recipientTerms.Name(), words, frequentNames)
		if err != nil {
			return "", nil, fmt.Errorf("look up a recipient: %w", err)
		}
		rarest = found.Term
	}
	named, _ := db.Matches(text, "d.name")
	// The first comparison is by the collation of the index, the second tells names apart that it takes for one.
	return `SELECT i.id FROM order_recipient d STRAIGHT_JOIN orders i FORCE INDEX (ix_orders_consignee)
			ON i.consignee = d.name COLLATE utf8mb4_general_ci
		WHERE d.term = ? AND ` + named + ` AND i.consignee = d.name COLLATE utf8mb4_bin
			AND i.id <= ? AND i.deleted = 0
		UNION ALL ` + scan("PRIMARY") + " AND id > ?",
		slices.Concat([]any{rarest}, patterns, []any{last}, patterns, []any{last}), nil
}

// ReindexRecipient writes the terms of a name in the index again. A name that no indexed order has needs none.
func ReindexRecipient(ctx context.Context, tx *db.Tx, name string) error {
	last, err := counter.Stored(ctx, tx, ScopeRecipients)
	if err != nil {
		return fmt.Errorf("read how far the recipients are indexed: %w", err)
	}
	if _, err := recipientTerms.Delete(ctx, tx, "name = ?", name); err != nil {
		return fmt.Errorf("drop the terms of a recipient: %w", err)
	}
	used, err := orders.Exists(ctx, tx, "r.consignee = ? COLLATE utf8mb4_bin AND r.id <= ?", name, last)
	if err != nil || !used {
		return err
	}
	var rows []recipientTerm
	for _, t := range terms.Of(name) {
		rows = append(rows, recipientTerm{t, name})
	}
	return recipientTerms.InsertAll(ctx, tx, rows)
}
