package op_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
)

type stored struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// uploads is a service with one upload of at most 2 MiB; full makes it refuse calls before it reads them.
func uploads(t *testing.T, full *bool) *service {
	t.Helper()
	limited := func(h *op.Hooks) {
		h.Limit = func(_ context.Context, s *op.Spec) error {
			if *full && s.Rate == "file" {
				return errno.Invalid
			}
			return nil
		}
	}
	return mount(t, limited, op.Upload[stored]{
		Path: "/file", Title: "U", Access: op.SignedIn, Fails: []*errno.Code{errno.GoodsUnknown}, Part: "file",
		Limit: 2 * limit, IdempotencyScope: "file.put",
		Rate: "file",
		Do: func(_ context.Context, f op.File) (stored, error) {
			if string(f.Data) == "unknown" {
				return stored{}, errno.GoodsUnknown
			}
			return stored{f.Name, len(f.Data)}, nil
		},
	})
}

// form builds a multipart form of parts in order: a name, a file name ("-" for none) and the bytes.
func sent(t *testing.T, parts ...[3]string) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		disposition := fmt.Sprintf(`form-data; name="%s"; filename="%s"`, p[0], p[1])
		if p[1] == "-" {
			disposition = fmt.Sprintf(`form-data; name="%s"`, p[0])
		}
		part, err := w.CreatePart(map[string][]string{"Content-Disposition": {disposition}})
		require.NoError(t, err)
		_, err = io.WriteString(part, p[2])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String(), w.FormDataContentType()
}

func (s *service) upload(t *testing.T, token string, body io.Reader, kind string) reply {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/file", body)
	r.Header.Set("X-Token", token)
	r.Header.Set("Content-Type", kind)
	return s.send(t, r)
}

func TestUpload(t *testing.T) {
	full := false
	s := uploads(t, &full)
	for name, tt := range map[string]struct {
		parts [][3]string
		errno int
		data  string
	}{
		"a file":               {[][3]string{{"file", "a.png", "abc"}}, 0, `{"name":"a.png","size":3}`},
		"after others":         {[][3]string{{"x", "-", "y"}, {"file", "a.png", "abc"}}, 0, `{"name":"a.png","size":3}`},
		"the first of two":     {[][3]string{{"file", "a", "abc"}, {"file", "b", "abcd"}}, 0, `{"name":"a","size":3}`},
		"without a name":       {[][3]string{{"file", "-", "abc"}}, 0, `{"name":"","size":3}`},
		"with folders":         {[][3]string{{"file", "../../a.png", "abc"}}, 0, `{"name":"a.png","size":3}`},
		"empty":                {[][3]string{{"file", "a.png", ""}}, 0, `{"name":"a.png","size":0}`},
		"just so large":        {[][3]string{{"file", "a", strings.Repeat("x", 2*limit)}}, 0, `{"name":"a","size":2097152}`},
		"no file":              {[][3]string{{"files", "a.png", "abc"}}, 401, ""},
		"no part at all":       {nil, 401, ""},
		"behind too many":      {append(make([][3]string, 20), [3]string{"file", "a", "abc"}), 401, ""},
		"a rule of the answer": {[][3]string{{"file", "a", "unknown"}}, 712, ""},
	} {
		t.Run(name, func(t *testing.T) {
			body, kind := sent(t, tt.parts...)
			a := s.upload(t, "t1", strings.NewReader(body), kind)
			require.Equal(t, tt.errno, a.Errno, a.Body)
			require.Equal(t, http.StatusOK, a.Status)
			if tt.errno == 0 {
				require.JSONEq(t, tt.data, string(a.Data))
			}
		})
	}
}

// The hash of an upload covers its file and its name, not the form around it.
func TestKeyedUpload(t *testing.T) {
	full := false
	s := uploads(t, &full)
	send := func(key string, parts ...[3]string) reply {
		body, kind := sent(t, parts...)
		r := httptest.NewRequest(http.MethodPost, "/file", strings.NewReader(body))
		r.Header.Set("X-Token", "t1")
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Idempotency-Key", key)
		return s.send(t, r)
	}
	file := [3]string{"file", "a.png", "abc"}
	require.Equal(t, 0, send("k", file).Errno)
	require.Equal(t, 0, send("k", [3]string{"x", "-", "y"}, file).Errno)
	require.Equal(t, 0, send("k", [3]string{"file", "b.png", "abc"}).Errno)
	require.Equal(t, 0, send("k", [3]string{"file", "a.png", "abd"}).Errno)
	require.Equal(t, 402, send("two words", file).Errno)
	require.Len(t, s.once, 4)
	require.Equal(t, s.once[0], s.once[1])
	require.NotEqual(t, s.once[0], s.once[2])
	require.NotEqual(t, s.once[0], s.once[3])
}

func TestUploadIsRefused(t *testing.T) {
	full := false
	s := uploads(t, &full)
	body, kind := sent(t, [3]string{"file", "a.png", "abc"})
	large, largeKind := sent(t, [3]string{"file", "a.png", strings.Repeat("x", 2*limit+1)})
	huge, hugeKind := sent(t, [3]string{"other", "a.png", strings.Repeat("x", 4*limit)}, [3]string{"file", "a.png", "abc"})
	require.Equal(t, 501, s.upload(t, "", strings.NewReader(body), kind).Errno, "the token first")
	require.Equal(t, 401, s.upload(t, "t1", strings.NewReader(`{"file":"abc"}`), "application/json").Errno)
	require.Equal(t, 401, s.upload(t, "t1", strings.NewReader(body), "multipart/form-data").Errno, "no boundary")
	require.Equal(t, 401, s.upload(t, "t1", strings.NewReader(body), "").Errno)
	require.Equal(t, 401, s.upload(t, "t1", http.NoBody, kind).Errno)
	require.Equal(t, 402, s.upload(t, "t1", strings.NewReader(body[:strings.Index(body, "abc")+2]), kind).Errno, "broken off")
	require.Equal(t, 402, s.upload(t, "t1", strings.NewReader("nothing of the kind"), kind).Errno)
	for name, tt := range map[string]struct {
		body io.Reader
		kind string
	}{
		"a file above the limit":                   {strings.NewReader(large), largeKind},
		"a file of unknown size above the limit":   {unsized{strings.NewReader(large)}, largeKind},
		"another part above the limit":             {strings.NewReader(huge), hugeKind},
		"another part of unknown size above limit": {unsized{strings.NewReader(huge)}, hugeKind},
	} {
		a := s.upload(t, "t1", tt.body, tt.kind)
		require.Equal(t, http.StatusRequestEntityTooLarge, a.Status, name)
		require.Equal(t, 402, a.Errno, name)
		require.Equal(t, "close", a.Header.Get("Connection"), name)
	}
}

// unread fails the test if it is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func TestWhatIsRefusedIsNotRead(t *testing.T) {
	full := true
	s := uploads(t, &full)
	a := s.upload(t, "t1", unread{t}, "multipart/form-data; boundary=x")
	require.Equal(t, 402, a.Errno)
	full = false
	r := httptest.NewRequest(http.MethodPost, "/file", unread{t})
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r.ContentLength = 50 << 20
	require.Equal(t, http.StatusRequestEntityTooLarge, s.send(t, r).Status)
}

func TestWhatAnUploadDeclares(t *testing.T) {
	specs, err := op.Specs(op.Upload[stored]{Path: "/file", Title: "U", Access: op.SignedIn, Part: "file", Limit: 1})
	require.NoError(t, err)
	require.Equal(t, "file", specs[0].FilePart())
	require.False(t, specs[0].IsRaw())
	require.Empty(t, specs[0].Fields())
	require.Equal(t, []*errno.Code{
		errno.OK, errno.Missing, errno.Invalid, errno.LoginRequired, errno.Internal,
	}, specs[0].Codes())
	_, err = op.Specs(op.Upload[stored]{Path: "/file", Title: "U", Access: op.SignedIn, Limit: 1})
	require.ErrorContains(t, err, "name of its part")
	_, err = op.Specs(op.Upload[stored]{Path: "/file", Title: "U", Access: op.SignedIn, Part: "file"})
	require.ErrorContains(t, err, "a limit")
}
