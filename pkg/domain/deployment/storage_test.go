package deployment

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"

	"shop.internal/pkg/domain/storage"
)

func TestOpenStorage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "files")
	local := Storage{Driver: "local", Dir: dir}
	bucket, err := local.Open(nil)()
	require.NoError(t, err)
	require.NoError(t, bucket.Close())
	require.DirExists(t, dir)

	far := Storage{Driver: "s3"}
	far.S3.Bucket, far.S3.Region, far.S3.PathStyle = "shop", "north", true
	var asked storage.S3
	_, err = far.Open(func(o storage.S3) (*blob.Bucket, error) {
		asked = o
		return nil, nil
	})()
	require.NoError(t, err)
	require.Equal(t, storage.S3{Bucket: "shop", Region: "north", PathStyle: true}, asked)
}
