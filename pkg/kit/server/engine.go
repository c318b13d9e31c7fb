package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// EngineOptions are the options about callers.
type EngineOptions struct {
	// TrustedProxies are the addresses and networks whose X-Forwarded-For, or else Forwarded, is trusted; empty for none.
	TrustedProxies []string
	CORS           CORS
	// Log takes what is wrong with the headers of trusted proxies; it may be nil.
	Log *slog.Logger
}

// CORS configures which pages of other origins may call. The zero CORS allows none.
type CORS struct {
	// Origins are addresses such as https://console.example.com, or just * for all.
	Origins []string
	// Credentials allows requests with cookies; it requires listed origins.
	Credentials bool
	// Headers are the request headers that a page may set.
	Headers []string
	// Methods defaults to GET and POST.
	Methods []string
	// MaxAge is how long browsers may cache a preflight; it defaults to ten minutes.
	MaxAge time.Duration
}

// Engine returns a Gin engine in release mode without routes, logger or recovery, which package op provides.
func Engine(o EngineOptions) (*gin.Engine, error) {
	g, _, err := engine(o)
	return g, err
}

func engine(o EngineOptions) (*gin.Engine, *proxies, error) {
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.ForwardedByClientIP = false // it does not know addresses with a port
	p, err := newProxies(o.TrustedProxies, o.Log)
	if err != nil {
		return nil, nil, err
	}
	if len(p.trusted) > 0 {
		g.Use(p.handler)
	}
	if len(o.CORS.Origins) == 0 {
		return g, p, nil
	}
	if err := o.CORS.check(); err != nil {
		return nil, nil, err
	}
	g.Use(o.CORS.handler())
	return g, p, nil
}

func (c CORS) check() error {
	if slices.Contains(c.Origins, "*") {
		if c.Credentials || len(c.Origins) > 1 {
			return errors.New("cors: * stands alone and without credentials")
		}
		return nil
	}
	for _, origin := range c.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			return fmt.Errorf("cors: %q is no origin such as https://console.example.com", origin)
		}
	}
	return nil
}

// handler answers preflights of allowed origins, for any path, and adds headers to other answers. A preflight of
// another origin is handled like any request, without headers, so the browser blocks it.
func (c CORS) handler() gin.HandlerFunc {
	everybody := c.Origins[0] == "*"
	if len(c.Methods) == 0 {
		c.Methods = []string{http.MethodGet, http.MethodPost}
	}
	if c.MaxAge == 0 {
		c.MaxAge = 10 * time.Minute
	}
	star, yes, vary := []string{"*"}, []string{"true"}, []string{"Origin"}
	headers, methods := []string{strings.Join(c.Headers, ", ")}, []string{strings.Join(c.Methods, ", ")}
	age := []string{strconv.Itoa(int(c.MaxAge.Seconds()))}
	return func(g *gin.Context) {
		out, origin := g.Writer.Header(), g.Request.Header["Origin"]
		if everybody {
			out["Access-Control-Allow-Origin"] = star
		} else {
			out["Vary"] = vary
			if len(origin) != 1 || !slices.Contains(c.Origins, origin[0]) {
				return
			}
			out["Access-Control-Allow-Origin"] = origin
			if c.Credentials {
				out["Access-Control-Allow-Credentials"] = yes
			}
		}
		if g.Request.Method != http.MethodOptions || len(origin) == 0 ||
			g.Request.Header.Get("Access-Control-Request-Method") == "" {
			return
		}
		out["Access-Control-Allow-Methods"], out["Access-Control-Allow-Headers"] = methods, headers
		out["Access-Control-Max-Age"] = age
		g.AbortWithStatus(http.StatusNoContent)
	}
}
