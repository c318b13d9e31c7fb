package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gocloud.dev/gcerrors"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/page"
)

// Filter chooses among the objects. The zero filter is all of them.
type Filter struct {
	// Key is the whole key, Name a part of the name.
	Key, Name string
}

// All lists the objects, by add_time or id.
func (s *Service) All(ctx context.Context, f Filter, q page.Query) (page.List[Object], error) {
	list := lists.Select("storage", objectColumns).Contains("name", f.Name)
	if f.Key != "" {
		list.Where("i.storage_key = ? AND i.del_mark = 0", f.Key)
	}
	found, err := lists.Fetch[objectRow](ctx, s.lists, list, q)
	if err != nil {
		return page.List[Object]{}, fmt.Errorf("list the objects: %w", err)
	}
	return page.Map(found, objectRow.object), nil
}

// Get returns what is known of an object. It fails with errno.Invalid for one that is unknown or deleted.
func (s *Service) Get(ctx context.Context, id int64) (Object, error) {
	o, err := findOne(ctx, s.db, "r.id = ? AND r.deleted = 0", id)
	if errors.Is(err, ErrUnknown) {
		err = fmt.Errorf("%w: %w", errno.NoSuch("file"), err)
	}
	return o, err
}

// Rename gives an object another name, nil for the one it has, and returns it. Its key, its address and its bytes stay.
// It fails with errno.UpdateFailed for one that is unknown or deleted.
func (s *Service) Rename(ctx context.Context, id int64, name *string) (Object, error) {
	var o Object
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if o, err = findOne(ctx, tx, "r.id = ? AND r.deleted = 0 FOR UPDATE", id); err != nil {
			return err
		}
		before := o
		if name != nil {
			o.Name = *name
		}
		o.UpdateTime = s.clock()
		if err := rename(ctx, tx, o); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: o.ID, Before: before.recorded(), After: o.recorded(), Result: o.Key,
		})
	})
	if errors.Is(err, ErrUnknown) {
		err = fmt.Errorf("%w: %w", errno.UpdateFailed, err)
	}
	return o, err
}

// TopicRemove is the topic of the effect that removes the bytes of a deleted object.
const TopicRemove = "storage.remove"

type removal struct {
	Key string `json:"key"`
}

// Delete deletes the object of a key: its row at once, its bytes after the commit, if need be again and again. A key
// that no object has is no failure, and nothing is done.
func (s *Service) Delete(ctx context.Context, key string) error {
	gone := ""
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		gone = ""
		o, err := findOne(ctx, tx, "r.storage_key = ? AND r.del_mark = 0 FOR UPDATE", key)
		if errors.Is(err, ErrUnknown) {
			return audit.Record(ctx, tx, audit.Change{Comment: key})
		}
		if err != nil {
			return err
		}
		if err := deleteObject(ctx, tx, o.ID, s.clock()); err != nil {
			return err
		}
		err = s.outbox.AddAfter(ctx, tx, TopicRemove, fmt.Sprintf("%s:%d", TopicRemove, o.ID), o.ID, removal{o.Key},
			removeAfter)
		if err != nil {
			return err
		}
		gone = o.Key
		return audit.Record(ctx, tx, audit.Change{ID: o.ID, Before: o.recorded(), Result: o.Key})
	})
	if err != nil {
		return fmt.Errorf("delete an object: %w", err)
	}
	if gone != "" {
		_ = s.erase(context.WithoutCancel(ctx), gone) // the effect does it otherwise
	}
	return nil
}

// removeAfter leaves the call that deletes an object the time to remove the bytes itself.
const removeAfter = 2 * discardTime

// FinishRemoval is the handler of TopicRemove. Bytes that are gone already are no failure.
func (s *Service) FinishRemoval(ctx context.Context, e outbox.Event) error {
	var r removal
	if err := json.Unmarshal([]byte(e.Payload), &r); err != nil {
		return fmt.Errorf("read what to remove from %q: %w", e.Payload, outbox.ErrNever)
	}
	return s.erase(ctx, r.Key)
}

// erase removes bytes whose row is gone.
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

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// recorded is what the record of a change shows of an object.
type recorded struct {
	ID              int64
	Key, Name, Type string
	Size            int64
	URL, SHA256     string
}

func (o Object) recorded() recorded {
	return recorded{o.ID, o.Key, o.Name, o.Type, o.Size, o.URL, o.SHA256}
}
