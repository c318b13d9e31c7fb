package envelope_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/kit/envelope"
)

func TestTheEnvelope(t *testing.T) {
	w := envelope.New("zh")
	same := func(want string, got []byte) { // JSONEq would ignore blanks and the order
		t.Helper()
		require.Equal(t, want, string(got))
	}
	same(`{"errno":0,"errmsg":"成功"}`, w.Success(nil))
	same(`{"errno":0,"errmsg":"成功","data":[]}`, w.Success([]byte("[]")))
	same(`{"errno":0,"errmsg":"成功"}`, w.Success(nil)) // a call changes no later one
	same(`{"errno":0,"errmsg":"success"}`, envelope.New("en").Success(nil))
	hidden := fmt.Errorf("select secret: %w", errors.New("hidden"))
	same(`{"errno":502,"errmsg":"系统内部错误"}`, w.Failure(hidden))
	same(`{"errno":402,"errmsg":"\u003cid\u003e不正确"}`, w.Failure(fmt.Errorf("read: %w", errno.Invalid.Because(text.ValidationInvalid, "<id>"))))
}

func TestWhatIsWrittenIsWhatIsMade(t *testing.T) {
	w := envelope.New("en")
	for _, data := range [][]byte{nil, []byte(`{}`), []byte(`{"a":1}`)} {
		r := httptest.NewRecorder()
		w.WriteSuccess(r, data)
		require.Equal(t, string(w.Success(data)), r.Body.String())
		require.Equal(t, fmt.Sprint(r.Body.Len()), r.Header().Get("Content-Length"))
		require.Equal(t, "application/json;charset=UTF-8", r.Header().Get("Content-Type"))
	}
	r := httptest.NewRecorder()
	w.WriteFailure(r, http.StatusNotFound, errno.UnknownPath)
	require.Equal(t, 404, r.Code)
	require.Equal(t, string(w.Failure(errno.UnknownPath)), r.Body.String())
}

func TestTheStatusIs200ForAllButPathsAndMethods(t *testing.T) {
	for _, c := range errno.All() {
		want := http.StatusOK
		switch c {
		case errno.UnknownPath:
			want = http.StatusNotFound
		case errno.WrongMethod:
			want = http.StatusMethodNotAllowed
		}
		require.Equal(t, want, envelope.Status(c), c.Name)
	}
	require.Equal(t, http.StatusOK, envelope.Status(errors.New("anything")))
}

// Who is refused because of too much work hears when to try again, in an envelope that clients know.
func TestBusy(t *testing.T) {
	err := fmt.Errorf("list goods: %w", errno.ErrBusy)
	require.Equal(t, http.StatusServiceUnavailable, envelope.Status(err))
	r := httptest.NewRecorder()
	envelope.New("en").WriteFailure(r, envelope.Status(err), err)
	require.Equal(t, 503, r.Code)
	require.Equal(t, "1", r.Header().Get("Retry-After"))
	require.JSONEq(t, `{"errno":502,"errmsg":"The shop is busy, please try again"}`, r.Body.String())
}

func TestEncode(t *testing.T) {
	raw := json.RawMessage(`{"kept": true}`)
	got, err := envelope.Encode(raw)
	require.NoError(t, err)
	require.Equal(t, string(raw), string(got), "what is encoded stays as it is")
	_, err = envelope.Encode(func() {})
	require.Error(t, err)
}
