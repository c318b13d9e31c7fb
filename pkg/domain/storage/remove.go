package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gocloud.dev/gcerrors"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/outbox"
)

// Remove deletes an object in the caller's transaction, and its bytes after the commit. An unknown object is no error.
func (s *Service) Remove(ctx context.Context, tx *db.Tx, key string) error {
	if err := upload.Remove(ctx, tx, key, s.now()); err != nil {
		return fmt.Errorf("remove object %s: %w", key, err)
	}
	tx.OnCommit(func() {
		// Bytes without a row are only waste, so an error is ignored.
		_ = s.discard(ctx, key)
	})
	return nil
}

// TopicRemove is the topic of the event that deletes the bytes of a deleted object.
const TopicRemove = "storage.remove"

type removal struct {
	Key string `json:"key"`
}

// Delete deletes the object of a key: its row at once, its bytes after the commit, with retries. An unknown key is no
// error.
func (s *Service) Delete(ctx context.Context, key string) error {
	gone := ""
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		gone = ""
		o, err := known(upload.Objects.One(ctx, tx, "r.storage_key = ? AND r.del_mark = 0 FOR UPDATE", key))
		if errors.Is(err, ErrUnknown) {
			return audit.Record(ctx, tx, audit.Change{Comment: key})
		}
		if err != nil {
			return err
		}
		if err := upload.Remove(ctx, tx, o.Key, s.clock()); err != nil {
			return err
		}
		err = s.outbox.AddAfter(ctx, tx, TopicRemove, fmt.Sprintf("%s:%d", TopicRemove, o.ID), o.ID, removal{o.Key},
			removeAfter)
		if err != nil {
			return err
		}
		gone = o.Key
		return audit.Record(ctx, tx, audit.Change{ID: o.ID, Before: recordedOf(o), Result: o.Key})
	})
	if err != nil {
		return fmt.Errorf("delete an object: %w", err)
	}
	if gone != "" {
		_ = s.erase(context.WithoutCancel(ctx), gone) // otherwise the event does it
	}
	return nil
}

// removeAfter gives the call that deletes an object the time to delete the bytes itself.
const removeAfter = 2 * discardTime

// FinishRemoval is the handler of TopicRemove. Missing bytes are no error.
func (s *Service) FinishRemoval(ctx context.Context, e outbox.Event) error {
	var r removal
	if err := json.Unmarshal([]byte(e.Payload), &r); err != nil {
		return fmt.Errorf("read what to remove from %q: %w", e.Payload, outbox.ErrNever)
	}
	return s.erase(ctx, r.Key)
}

// erase deletes bytes whose row is deleted.
func (s *Service) erase(ctx context.Context, key string) error {
	if !validKey(key) {
		return fmt.Errorf("remove an object by a malformed key: %w", outbox.ErrNever)
	}
	ctx, cancel := context.WithTimeout(ctx, discardTime)
	defer cancel()
	if err := s.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return fmt.Errorf("remove object %s: %w", key, err)
	}
	return nil
}

const (
	// purged bounds the uploads that one batch removes.
	purged = 500
	// eraseBatch is the number of files that one event deletes.
	eraseBatch = 20
	// removedRetention is how long the row of a removed upload is kept, so that no text begins to use it.
	removedRetention = 7 * 24 * time.Hour
)

// TopicPurge is the topic of the event that deletes the bytes of unused uploads.
const TopicPurge = "storage.purge"

type purge struct {
	Keys []string `json:"keys"`
}

// Uses returns all texts that shoppers have written since a time and that may refer to their uploads.
type Uses func(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) ([]string, error)

// SetUses registers a last check before an upload is removed. Texts record the uploads that they use, but those written
// by a process of an earlier release, which may run at the same time, do not.
func (s *Service) SetUses(u Uses) { s.uses = u }

// PurgeUnused removes a batch of shoppers' uploads that have been unused since before a time, and returns how many: the
// rows at once, the bytes by an event. Operators delete their own files, and uploads without a login are not tracked;
// both stay.
func (s *Service) PurgeUnused(ctx context.Context, before time.Time) (int, error) {
	keys, err := upload.LongUnused(ctx, s.db, before, purged)
	if err != nil {
		return 0, err
	}
	done := 0
	if len(keys) > 0 {
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			done, err = s.purge(ctx, tx, before, keys)
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("remove unused uploads: %w", err)
		}
	}
	n, err := upload.Forget(ctx, s.db, before.Add(-removedRetention), purged)
	return max(done, n), err
}

// purge removes those of the uploads that are still unused, and returns how many are settled.
func (s *Service) purge(ctx context.Context, tx *db.Tx, before time.Time, keys []string) (int, error) {
	list, err := upload.LockUnused(ctx, tx, before, keys)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	named, err := s.named(ctx, tx, list)
	if err != nil {
		return 0, err
	}
	var used, unused []string
	var ids []int64
	for _, u := range list {
		if _, found := slices.BinarySearch(named, u.Key); found {
			used = append(used, u.Key)
			continue
		}
		unused, ids = append(unused, u.Key), append(ids, u.ID)
	}
	if len(used) > 0 {
		if _, err := upload.MarkUsed(ctx, tx, used); err != nil {
			return 0, err
		}
	}
	if len(ids) == 0 {
		return len(list), nil
	}
	if err := upload.RemoveUnused(ctx, tx, ids, s.clock()); err != nil {
		return 0, err
	}
	for part := range slices.Chunk(unused, eraseBatch) {
		if err := s.outbox.Add(ctx, tx, TopicPurge, TopicPurge+":"+part[0], 0, purge{part}); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// named returns the keys, in order, that the uploaders have written anywhere since the oldest of the uploads.
func (s *Service) named(ctx context.Context, tx *db.Tx, list []upload.Unused) ([]string, error) {
	var owners []int64
	since := list[0].AddTime
	for _, u := range list {
		owners = append(owners, u.OwnerID)
		if u.AddTime.Before(since) {
			since = u.AddTime
		}
	}
	slices.Sort(owners)
	texts, err := s.uses(ctx, tx, slices.Compact(owners), since)
	var keys []string
	for _, t := range texts {
		keys = append(keys, upload.Keys(t)...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), err
}

// FinishPurge is the handler of TopicPurge. Missing bytes are no error.
func (s *Service) FinishPurge(ctx context.Context, e outbox.Event) error {
	var p purge
	if err := json.Unmarshal([]byte(e.Payload), &p); err != nil {
		return fmt.Errorf("read what to remove from %q: %w", e.Payload, outbox.ErrNever)
	}
	for _, key := range p.Keys {
		if err := s.erase(ctx, key); err != nil {
			return err // the rest follows in the next attempt
		}
	}
	return nil
}
