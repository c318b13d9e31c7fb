package optest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

type ask struct {
	ID int64 `json:"id" check:"required,min=1"`
}

type told struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func ops() []op.Op {
	return []op.Op{
		op.Read[ask, told]{
			Path: "/thing", Title: "Show", Access: op.Public, Fails: []*errno.Code{errno.GoodsUnknown}, Budget: 3,
			Do: func(_ context.Context, r ask) (told, error) {
				switch r.ID {
				case 1:
					return told{1, "one"}, nil
				case 2:
					return told{}, errno.GoodsUnknown
				case 3:
					return told{}, errno.GoodsNoStock // not declared
				}
				return told{}, errors.New("gone")
			},
		},
		op.Write[ask, op.None]{
			Path: "/thing/name", Title: "Name", Access: op.Public,
			Fails: []*errno.Code{errno.AdminInvalidPassword, errno.AdminNameExists},
			Do: func(_ context.Context, r ask) (op.None, error) {
				if r.ID == 1 {
					return op.None{}, errno.AdminNameExists
				}
				return op.None{}, nil
			},
		},
		op.Raw{
			Method: "GET", Path: "/file/{key}", Title: "File", Access: op.Public, Budget: op.PerItem,
			Serve: func(w http.ResponseWriter, r *http.Request) error {
				_, err := w.Write([]byte(r.PathValue("key")))
				return err
			},
		},
	}
}

func api(t *testing.T) *API {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	h := op.Hooks{
		Done: func(op.Result) {}, Now: time.Now, Envelope: envelope.New("zh"), BodyLimit: 1 << 20, Timeout: time.Minute,
	}
	require.NoError(t, op.Mount(g, h, ops()...))
	specs, err := op.Specs(ops()...)
	require.NoError(t, err)
	return New(g, specs)
}

// failing is a test whose Fatalf stores the message and ends its goroutine.
type failing struct {
	testing.TB
	failure string
}

func (*failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failure runs a test that should fail and returns its message.
func failure(t *testing.T, run func(testing.TB)) string {
	t.Helper()
	f := &failing{TB: t}
	done := make(chan struct{})
	go func() { defer close(done); run(f) }()
	<-done
	return f.failure
}

func TestAnswersAreReadAndCompared(t *testing.T) {
	a := api(t)
	c := a.Client(t)
	var got told
	c.GET("/thing?id=%d", 1).OK().Data(&got)
	require.Equal(t, told{1, "one"}, got)
	c.GET("/thing?id=2").Fails(errno.GoodsUnknown)
	c.GET("/thing").Fails(errno.Missing)
	c.GET("/thing?id=x").Fails(errno.Invalid)
	c.GET("/nowhere").Fails(errno.UnknownPath)
	c.POST("/thing", `{}`).Fails(errno.WrongMethod)
	c.POST("/thing/name", `{"id":%d}`, 1).Fails(errno.AdminNameExists)
	require.Equal(t, "100%", string(c.GET("/file/100%25").Body))
}

func TestAWrongExpectationStopsTheTest(t *testing.T) {
	a := api(t)
	require.Contains(t, failure(t, func(t testing.TB) { a.Client(t).GET("/thing?id=2").OK() }), "want success")
	require.Contains(t, failure(t, func(t testing.TB) { a.Client(t).GET("/thing?id=1").Fails(errno.GoodsUnknown) }), "want 712")
	require.Contains(t, failure(t, func(t testing.TB) { a.Client(t).GET("/thing?id=3") }), "GOODS_NO_STOCK is not among")
	require.Contains(t, failure(t, func(t testing.TB) {
		a.Client(t).POST("/thing/name", `{"id":1}`).Fails(errno.AdminInvalidPassword)
	}), "want 602 ADMIN_INVALID_PASSWORD", "one number, two rows")
}

func TestTheFormOfTheEnvelopeIsChecked(t *testing.T) {
	for body, want := range map[string]string{
		`{"errno":0}`:                              "no errno or no errmsg",
		`{"errno":0,"errmsg":""}`:                  "no errno or no errmsg",
		`{"errmsg":"成功"}`:                          "no errno or no errmsg",
		`{"errno":0,"errmsg":"好"}`:                 "is no row of the error table",
		`{"errno":602,"errmsg":"好"}`:               "is no row of the error table",
		`{"errno":999,"errmsg":"好"}`:               "is no row of the error table",
		`{"errno":402,"errmsg":"参数值不对"}`:           "does not say what is wrong",
		`{"errno":401,"errmsg":"缺少goodsId"}`:       "does not say what is wrong",
		`{"errno":0,"errmsg":"成功","x":1}`:          "not an envelope",
		`{"errno":0,"errmsg":"成功","data":null}`:    "data is null",
		`{"errno":712,"errmsg":"商品不存在","data":{}}`: "a failure with data",
		`{"errno":404,"errmsg":"没有这个地址"}`:          "HTTP status 200",
		`[]`: "not an envelope",
	} {
		a := New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", envelope.ContentType)
			_, _ = w.Write([]byte(body))
		}), nil)
		require.Contains(t, failure(t, func(t testing.TB) { a.Client(t).GET("/x") }), want, body)
	}
	plain := New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }), nil)
	require.Contains(t, failure(t, func(t testing.TB) { plain.Client(t).GET("/x") }), "content type")
}

// counting returns an API whose calls send a number of statements each.
func counting(t *testing.T, statements int) *API {
	t.Helper()
	a := api(t)
	a.Count = func(ctx context.Context) (context.Context, func() int) { return ctx, func() int { return statements } }
	return a
}

func TestStatementsAreCounted(t *testing.T) {
	c := counting(t, 3).Client(t)
	c.GET("/thing?id=1").Within(3)
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=1").Within(2) }), "3 statements, allowed are 2")
}

func TestACallStaysWithinItsBudget(t *testing.T) {
	c := counting(t, 4).Client(t)
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=1") }), "4 statements, the operation's budget is 3")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).POST("/thing/name", `{"id":2}`) }), "budget is 0", "none declared")
	c.With("Idempotency-Key", "k").GET("/thing?id=1").OK()
	c.GET("/thing?id=2").Fails(errno.GoodsUnknown)
	c.GET("/file/x")
}

func TestACallThatMetAnotherIsNotMeasured(t *testing.T) {
	var c crossing
	first := c.enter()
	second := c.enter()
	require.False(t, second())
	require.False(t, first())
	alone := c.enter()
	require.True(t, alone())
}

func TestAnswersThatNoTestShowsAreNamed(t *testing.T) {
	specs := api(t).Specs
	var s shown
	require.Len(t, s.missing(specs), 5, "one operation with one code, one with two, each with its success")
	s.add("GET /thing", errno.OK)
	s.add("GET /thing", errno.GoodsUnknown)
	s.add("POST /thing/name", errno.OK)
	s.add("POST /thing/name", errno.AdminNameExists)
	require.Equal(t, []string{"POST /thing/name: no test shows 602 ADMIN_INVALID_PASSWORD"}, s.missing(specs))
	var out bytes.Buffer
	require.Equal(t, 1, report(&out, s.missing(specs)))
	s.add("POST /thing/name", errno.AdminInvalidPassword)
	require.Equal(t, 0, report(&out, s.missing(specs)))
}

func TestWhatIsDemandedCounts(t *testing.T) {
	c := api(t).Client(t)
	c.GET("/thing?id=1").OK().Golden("thing")
	c.GET("/thing?id=2").Fails(errno.GoodsUnknown)
	c.POST("/thing/name", `{"id":2}`).OK()
	require.True(t, seen.answers["GET /thing"][errno.OK])
	require.True(t, seen.answers["GET /thing"][errno.GoodsUnknown])
	require.True(t, seen.answers["POST /thing/name"][errno.OK])
}

func TestAnAnswerWithoutDataHasNoGoldenFile(t *testing.T) {
	c := api(t).Client(t)
	for name, call := range map[string]func(*Client) *Answer{
		"failure": func(c *Client) *Answer { return c.GET("/thing?id=2") },
		"success": func(c *Client) *Answer { return c.POST("/thing/name", `{"id":2}`) },
	} {
		require.Contains(t, failure(t, func(t testing.TB) { call(c.In(t)).Golden(name) }), "there is nothing")
	}
}

func TestDataOfAWordHasNoGoldenFile(t *testing.T) {
	c := api(t).Client(t)
	one := c.GET("/thing?id=1").Is(`{"id":1,"name":"one"}`)
	require.True(t, seen.answers["GET /thing"][errno.OK])
	require.Contains(t, failure(t, func(t testing.TB) { one.t = t; one.Golden("thing") }), "there is nothing")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=1").Is(`1`) }), "want the data 1")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=2").Is(`1`) }), "want success")
}

func TestReasons(t *testing.T) {
	c := api(t).Client(t)
	c.GET("/thing?id=2").Fails(errno.GoodsUnknown).Says(errno.GoodsUnknown.Text(text.Chinese))
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=2").Says("x") }), `want the errmsg "x"`)
}

func TestRefusals(t *testing.T) {
	a := api(t)
	c := a.Client(t)
	c.RefusesBadBodies("/thing/name", "id")
	c.RefusesLargeBodies("/thing/name", "id", 2<<20)
	require.Equal(t, 1, c.RefusesTexts(a.Specs[0]))
	require.Equal(t, 1, c.RefusesTexts(a.Specs[1]))
	require.Zero(t, c.RefusesTexts(a.Specs[2]), "no members")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=1").Refused() }), "want a refusal")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/thing?id=4").Clean() }), "an internal error")
	require.Contains(t, failure(t, func(t testing.TB) { c.In(t).GET("/file/x.go:1").Clean() }), `contains ".go:"`)
}

type pictured struct {
	Avatar string      `json:"avatar"`
	PicURL wire.Link   `json:"picUrl"`
	List   []*pictured `json:"list"`
	Inner  struct {
		Gallery []string   `json:"gallery"`
		PicURLs wire.Links `json:"picUrls"`
	} `json:"inner"`
	HasPicture bool `json:"hasPicture"`
}

func TestUnheld(t *testing.T) {
	answers := func(resp reflect.Type) []string {
		return Unheld([]op.Spec{{Method: "GET", Path: "/x", Resp: resp}, {Method: "GET", Path: "/file"}})
	}
	want := []string{"GET /x avatar", "GET /x gallery"}
	require.Equal(t, want, answers(reflect.TypeFor[pictured]()))
	require.Equal(t, want, answers(reflect.TypeFor[wire.List[pictured]]()))
	require.Equal(t, want, answers(reflect.TypeFor[wire.Raw[wire.List[pictured]]]()))
	require.Empty(t, answers(reflect.TypeFor[told]()))
}
