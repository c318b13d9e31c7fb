package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"gocloud.dev/blob"
)

const (
	// keptTexts is the number of texts that a folder keeps; the oldest is deleted as another one is added.
	keptTexts = 100
	// maxText bounds a kept text in bytes.
	maxText = 1 << 10
	// keepTimeout bounds each call of the object store.
	keepTimeout = 20 * time.Second
)

// Keep stores a short text in a folder of the object store beside the files of the shop, under a new name. Texts of a
// folder are ordered by place; no client can read them, and nothing in the database names them.
func (s *Service) Keep(ctx context.Context, folder string, place int64, text string) error {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	key := fmt.Sprintf("%s/%015d-%s.txt", folder, place, s.now().UTC().Format("20060102T150405.000"))
	if err := write(ctx, s.bucket, key, "text/plain", []byte(text)); err != nil {
		return err
	}
	keys, err := s.kept(ctx, folder)
	for i := 0; err == nil && i < len(keys)-keptTexts; i++ {
		if err = s.bucket.Delete(ctx, keys[i]); err != nil {
			err = fmt.Errorf("delete %s: %w", keys[i], err)
		}
	}
	return err
}

// Kept returns the text of a folder with the highest place, the last one of several; "" if there is none.
func (s *Service) Kept(ctx context.Context, folder string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keepTimeout)
	defer cancel()
	keys, err := s.kept(ctx, folder)
	if err != nil || len(keys) == 0 {
		return "", err
	}
	key := keys[len(keys)-1]
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

// kept returns the keys of a folder, in order.
func (s *Service) kept(ctx context.Context, folder string) ([]string, error) {
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
		keys = append(keys, o.Key)
	}
}
