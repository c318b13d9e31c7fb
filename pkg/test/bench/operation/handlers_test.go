package operation

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
	"shop.internal/pkg/kit/wire"
)

type handler = http.Handler

// find and add are requests of the usual size, with the tags of both binders.
type find struct {
	Category int64  `json:"categoryId" form:"categoryId" check:"min=1" binding:"min=1"`
	Keyword  string `json:"keyword" form:"keyword" check:"maxLength=63" binding:"max=63"`
	New      bool   `json:"isNew" form:"isNew"`
	Page     int    `json:"page" form:"page" check:"min=1" binding:"min=1"`
	Limit    int    `json:"limit" form:"limit" check:"max=1000" binding:"max=1000"`
	Sort     string `json:"sort" form:"sort" check:"enum=add_time|id" binding:"oneof=add_time id"`
}

type add struct {
	Goods    int64  `json:"goodsId" check:"required,min=1" binding:"required,min=1"`
	Product  int64  `json:"productId" check:"required,min=1" binding:"required,min=1"`
	Number   int    `json:"number" check:"required,min=1,max=32767" binding:"required,min=1,max=32767"`
	Selected bool   `json:"selected"`
	Message  string `json:"message" check:"maxLength=512" binding:"max=512"`
}

type goods struct {
	ID     int64      `json:"id"`
	Name   string     `json:"name"`
	Brief  string     `json:"brief"`
	PicURL string     `json:"picUrl"`
	Price  wire.Money `json:"retailPrice"`
	New    bool       `json:"isNew"`
}

type answer struct {
	wire.List[goods]
	Names []string `json:"names"`
}

func rows(n int) answer {
	a := answer{List: wire.List[goods]{Total: 1234, Page: 1, Limit: n, Pages: 62}, Names: []string{"a", "b", "c"}}
	for i := range n {
		a.List.List = append(a.List.List, goods{
			ID: int64(i), Name: "a cup of porcelain", Brief: "thin and white, for tea", Price: 3600, New: i%2 == 0,
			PicURL: "http://127.0.0.1:8080/wx/storage/fetch/abcdefghij.png",
		})
	}
	return a
}

const (
	listPath = "/bench/list"
	addPath  = "/bench/add"
)

// typed mounts the two operations like a service.
func typed(done func(op.Result)) (handler, error) {
	g, err := server.Engine(server.EngineOptions{})
	if err != nil {
		return nil, err
	}
	hooks := op.Hooks{
		Done: done, Now: time.Now, Envelope: envelope.New("en"), BodyLimit: 1 << 20, Timeout: 10 * time.Second,
	}
	return g, op.Mount(g, hooks,
		op.Read[find, answer]{
			Path: listPath, Title: "List", Access: op.Public,
			Do: func(_ context.Context, r find) (answer, error) { return rows(r.Limit), nil },
		},
		op.Write[add, answer]{
			Path: addPath, Title: "Add", Access: op.Public,
			Do: func(_ context.Context, r add) (answer, error) { return rows(r.Number), nil },
		})
}

// enveloped is the envelope as a plain handler writes it.
type enveloped struct {
	Errno  int    `json:"errno"`
	Errmsg string `json:"errmsg"`
	Data   any    `json:"data,omitempty"`
}

// plain does the same with Gin alone.
func plain() (handler, error) {
	g, err := server.Engine(server.EngineOptions{})
	if err != nil {
		return nil, err
	}
	g.GET(listPath, func(c *gin.Context) {
		var r find
		if err := c.ShouldBindQuery(&r); err != nil {
			c.JSON(http.StatusOK, enveloped{Errno: 402, Errmsg: err.Error()})
			return
		}
		c.JSON(http.StatusOK, enveloped{Errmsg: "success", Data: rows(r.Limit)})
	})
	g.POST(addPath, func(c *gin.Context) {
		var r add
		if err := c.ShouldBindJSON(&r); err != nil {
			c.JSON(http.StatusOK, enveloped{Errno: 402, Errmsg: err.Error()})
			return
		}
		c.JSON(http.StatusOK, enveloped{Errmsg: "success", Data: rows(r.Number)})
	})
	return g, nil
}

// written reads nothing and only writes the bytes, as an upper bound.
func written() (handler, error) {
	body, err := envelope.Encode(rows(size))
	if err != nil {
		return nil, err
	}
	body = envelope.New("en").Success(body)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", envelope.ContentType)
		_, _ = w.Write(body)
	}), nil
}

// size is the number of rows of an answer.
const size = 5

// request is one request as it goes over the wire.
type request struct {
	name string
	text string
}

var (
	get = request{"GET, 6 parameters, 5 rows", "GET " + listPath +
		"?categoryId=1005000&keyword=cup+of+tea&isNew=true&page=1&limit=5&sort=add_time HTTP/1.1\r\nHost: bench\r\n\r\n"}
	post = request{"POST, 5 members, 5 rows", withBody(
		`{"goodsId":1181000,"productId":17,"number":5,"selected":true,"message":"please ring twice"}`)}
)

func withBody(body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		addPath, len(body), body)
}
