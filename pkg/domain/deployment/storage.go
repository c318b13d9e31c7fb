package deployment

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gocloud.dev/blob"

	"shop.internal/pkg/domain/storage"
)

// Storage are the keys of the object store.
type Storage struct {
	Driver  string `key:"driver" validate:"oneof=local s3" default:"local"`
	Dir     string `key:"dir" validate:"required" default:"objects"`
	BaseURL string `key:"base-url" validate:"omitempty,http_url"`
	// EarlierBaseURLs are the base addresses of earlier, KeepAddresses the time after an upgrade until keys are stored.
	EarlierBaseURLs []string      `key:"earlier-base-urls"`
	KeepAddresses   time.Duration `key:"keep-addresses" validate:"min=0" default:"24h"`
	S3              struct {
		Endpoint  string `key:"endpoint" validate:"omitempty,url"`
		Region    string `key:"region" default:"us-east-1"`
		Bucket    string `key:"bucket"`
		AccessKey string `key:"access-key"`
		SecretKey string `key:"secret-key"`
		PathStyle bool   `key:"path-style" default:"true"`
	} `key:"s3"`
}

// fetchPath is the path at which the storefront serves stored files.
const fetchPath = "/wx/storage/fetch/"

// Mistakes checks the rules that span keys; it returns a sentence for each violation, without any value. demo says
// whether this is a demo shop.
func (s *Storage) Mistakes(demo bool) []string {
	var wrong []string
	b := s.S3
	if s.Driver == "s3" && (b.Bucket == "" || b.Region == "" || b.AccessKey == "" || b.SecretKey == "") {
		wrong = append(wrong, "storage.s3: bucket, region, access-key and secret-key are needed where storage.driver is s3")
	}
	switch {
	case s.BaseURL == "" && !demo:
		// Every picture is shown under it, and the default is an address that only this machine can open.
		wrong = append(wrong, "storage.base-url: is missing: the public address of the storefront and "+fetchPath+
			", such as https://shop.example.com"+fetchPath)
	case s.BaseURL == "":
	case strings.ContainsAny(s.BaseURL, "?#") || !strings.HasSuffix(s.BaseURL, "/"):
		wrong = append(wrong, "storage.base-url: does not end in a slash, which the key of a file can follow")
	case s.Driver == "local" && !strings.HasSuffix(s.BaseURL, fetchPath):
		wrong = append(wrong,
			"storage.base-url: does not end in "+fetchPath+", where the storefront serves the files of a folder")
	}
	for _, base := range s.EarlierBaseURLs {
		if u, err := url.Parse(base); err != nil || u.Host == "" || strings.ContainsAny(base, "?#") ||
			!strings.HasSuffix(base, "/") {
			wrong = append(wrong, "storage.earlier-base-urls: an address is none such as https://shop.example.com"+fetchPath)
		}
	}
	return wrong
}

// Base is the prefix of a file's address before its key. Without one, a demo uses a storefront on this machine at a
// port.
func (s *Storage) Base(port string) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	return "http://localhost:" + port + fetchPath
}

// Unusable returns a sentence if the folder of files is not writable. It leaves no file behind.
func (s *Storage) Unusable() []string {
	if s.Driver != "local" || writable(s.Dir) {
		return nil
	}
	return []string{"storage.dir: the folder cannot be written, or not be made"}
}

// writable reports whether this process can write into a folder, or into its nearest existing parent.
func writable(folder string) bool {
	folder, err := filepath.Abs(folder)
	for err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(folder, ".writable-*"); err == nil {
			return errors.Join(probe.Close(), os.Remove(probe.Name())) == nil
		}
		if _, there := os.Stat(folder); !errors.Is(there, os.ErrNotExist) || folder == filepath.Dir(folder) {
			return false
		}
		folder, err = filepath.Dir(folder), nil
	}
	return false
}

// Open returns what opens the store of files: a folder, or by openS3 an object store.
func (s *Storage) Open(openS3 storage.OpenS3) func() (*blob.Bucket, error) {
	if s.Driver != "s3" {
		return func() (*blob.Bucket, error) { return storage.OpenDir(s.Dir) }
	}
	b := s.S3
	return func() (*blob.Bucket, error) {
		return openS3(storage.S3{
			Endpoint: b.Endpoint, Region: b.Region, Bucket: b.Bucket, AccessKey: b.AccessKey, SecretKey: b.SecretKey,
			PathStyle: b.PathStyle, Client: nil,
		})
	}
}
