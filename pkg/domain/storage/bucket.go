package storage

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
)

// S3 is a bucket of an object store with the S3 protocol.
type S3 struct {
	// Endpoint is the address of the store, empty for Amazon's.
	Endpoint, Region, Bucket string
	AccessKey, SecretKey     string
	// PathStyle puts the bucket into the path instead of the host, as most self-hosted stores require.
	PathStyle bool
	// Client sends the requests; nil is the default client.
	Client *http.Client
}

// OpenS3 opens a bucket of an object store; the package s3 has it. Programs pass it on, since its client is a seventh
// of a program and tests do without.
type OpenS3 func(S3) (*blob.Bucket, error)

// OpenDir returns the bucket in a directory, which it creates if needed.
func OpenDir(dir string) (*blob.Bucket, error) {
	b, err := fileblob.OpenBucket(dir, &fileblob.Options{
		CreateDir: true, DirFileMode: 0o750, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
	})
	if err != nil {
		return nil, fmt.Errorf("open the object store in %s: %w", dir, err)
	}
	return b, nil
}

// write stores bytes under a key, completely or not at all. Closing a writer publishes whatever was written, so after a
// failure, such as a full disk, the writer is cancelled first. In a folder the bytes are synced before the file gets
// its name.
func write(ctx context.Context, b *blob.Bucket, key, mediaType string, data []byte) (err error) {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var file *os.File // of a bucket in a folder
	w, err := b.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: mediaType,
		BeforeWrite: func(as func(any) bool) error { as(&file); return nil },
	})
	if err != nil {
		return fmt.Errorf("store object %s: %w", key, err)
	}
	_, err = w.Write(data)
	if err == nil && file != nil {
		err = file.Sync()
	}
	if err != nil {
		giveUp()
		_ = w.Close() // it only returns the cancellation
		return fmt.Errorf("store object %s: %w", key, err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("store object %s: %w", key, err)
	}
	return nil
}
