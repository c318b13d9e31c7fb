package server

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/swaggest/swgui/v5emb"

	"shop.internal/pkg/kit/envelope"
)

// Docs serves an API document as /docs/openapi.json and a page that renders it as /docs/. The page loads nothing from
// another host. Production shops usually disable it.
func Docs(g *gin.Engine, title string, document []byte) {
	page := v5emb.New(title, "/docs/openapi.json", "/docs/")
	g.GET("/docs/*file", func(c *gin.Context) {
		if c.Param("file") == "/openapi.json" {
			c.Data(http.StatusOK, envelope.ContentType, document)
			return
		}
		page.ServeHTTP(c.Writer, c.Request)
	})
}
