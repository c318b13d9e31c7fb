// Package platform is what the gateways of payment platforms share: calls over HTTP with a deadline and a bound, and
// the reading of RSA keys.
package platform

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	// callTime is the timeout of a call to a platform, unless its context has a shorter one.
	callTime = 5 * time.Second
	// answerLimit bounds the size of an answer in bytes.
	answerLimit = 1 << 20
)

// NewClient returns a client for the calls to a platform. It follows no redirects, since a signature is valid for one
// address only.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Answer is the answer of a platform.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and reads the answer. After an error it is unknown what the platform has done. Its errors do not
// quote the address, which may contain personal data.
func Do(client *http.Client, req *http.Request) (Answer, error) {
	req.Header.Set("User-Agent", "shop/1")
	res, err := client.Do(req) //nolint:gosec // the operator names the address of the platform
	if err != nil {
		return Answer{}, fmt.Errorf("reach the platform: %w", WithoutAddress(err))
	}
	defer func() { _ = res.Body.Close() }()
	got, err := io.ReadAll(io.LimitReader(res.Body, answerLimit))
	if err != nil {
		return Answer{}, fmt.Errorf("read the platform's answer: %w", WithoutAddress(err))
	}
	return Answer{res.StatusCode, res.Header, got}, nil
}

// WithoutAddress removes the address from an error of net/http.
func WithoutAddress(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// IsAddress reports whether a text is a whole address of HTTP.
func IsAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}
