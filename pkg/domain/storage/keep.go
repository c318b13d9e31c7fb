package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

const (
	// keptTexts is the number of texts that a folder keeps; the oldest is deleted as another one is added.
	keptTexts = 100
	// maxText bounds a kept text in bytes.
	maxText = 1 << 10
	// textSuffix ends the names of texts.
	textSuffix = ".txt"
	// keepTimeout bounds the calls of the object store for one text, and for the names of all.
	keepTimeout = 20 * time.Second
)

// Keep stores a short text in a folder of the object store beside the files of the shop, under a new name that follows
// all others of the folder. No client can read the text, and nothing in the database names it.
func (s *Service) Keep(ctx context.Context, folder, text string) error {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	keys, err := s.kept(ctx, folder)
	if err != nil {
		return err
	}
	place := 0
	if len(keys) > 0 {
		last := keys[len(keys)-1]
		if _, err := fmt.Sscanf(last, folder+"/%d-", &place); err != nil {
			return fmt.Errorf("%s is no text that was kept: %w", last, err)
		}
	}
	key := fmt.Sprintf("%s/%015d-%s"+textSuffix, folder, place+1, s.now().UTC().Format("20060102T150405.000"))
	if err := write(ctx, s.bucket, key, "text/plain", []byte(text)); err != nil {
		return err
	}
	for i := 0; err == nil && i < len(keys)+1-keptTexts; i++ {
		if err = s.bucket.Delete(ctx, keys[i]); gcerrors.Code(err) == gcerrors.NotFound {
			err = nil // another process keeps a text at the same time
		} else if err != nil {
			err = fmt.Errorf("delete %s: %w", keys[i], err)
		}
	}
	return err
}

// Kept returns the texts of a folder, the newest first. Each is read as it is asked for; an error ends them.
func (s *Service) Kept(ctx context.Context, folder string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		keys, err := s.kept(ctx, folder)
		if err != nil {
			yield("", err)
			return
		}
		for _, key := range slices.Backward(keys) {
			text, err := s.keptText(ctx, key)
			if gcerrors.Code(err) == gcerrors.NotFound {
				continue // Keep has deleted it since
			}
			if !yield(text, err) || err != nil {
				return
			}
		}
	}
}

func (s *Service) keptText(ctx context.Context, key string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	r, err := s.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", key, err)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxText))
	if err := errors.Join(err, r.Close()); err != nil {
		return "", fmt.Errorf("read %s: %w", key, err)
	}
	return string(text), nil
}

// kept returns the keys of the texts in a folder, in order. A store, or whoever looks at it, may add other objects.
func (s *Service) kept(ctx context.Context, folder string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	var keys []string
	list := s.bucket.List(&blob.ListOptions{Prefix: folder + "/"})
	for {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return keys, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", folder, err)
		}
		if strings.HasSuffix(o.Key, textSuffix) {
			keys = append(keys, o.Key)
		}
	}
}
