// Package wechat is the client of the app platform: it exchanges the login code of an app for the identity of its user,
// decrypts mobile numbers, verifies the platform's signature on messages, and requests codes that open the app. It owns
// no table.
//
// The platform requires the app's secret in the address of a call, so no error with the address may leave this package.
package wechat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Config is an app at the platform.
type Config struct {
	// AppID and Secret are the app's credentials.
	AppID, Secret string
	// BaseURL is the platform's address, such as https://api.weixin.qq.com.
	BaseURL string
	// International says that numbers are returned with + and the code of their country.
	International bool
	// Timeout bounds one call, by default 5 seconds.
	Timeout time.Duration
}

// Client is the client of one app.
type Client struct {
	config Config
	base   *url.URL
	http   *http.Client
}

// New returns the client of an app. It fails for an invalid address of the platform.
func New(c Config) (*Client, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the app platform's address is not of the form https://host")
	}
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	return &Client{config: c, base: base, http: &http.Client{
		Timeout: c.Timeout,
		// The secret must not follow a redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

const (
	maxAnswer = 64 << 10 // bytes
	maxCode   = 512      // bytes
	maxOpenID = 63       // what the column holds
	maxKey    = 128      // the platform's keys have 24 characters
)

// Session exchanges a login code, which is valid once, for the identity of the user and the key of the session at the
// platform.
func (c *Client) Session(ctx context.Context, code string) (openID, key string, err error) {
	if len(code) > maxCode {
		return "", "", errors.New("exchange a login code: it is too long")
	}
	var answer struct {
		OpenID     string `json:"openid"`
		SessionKey string `json:"session_key"`
		Code       int    `json:"errcode"`
	}
	err = c.get(ctx, "sns/jscode2session", url.Values{
		"appid": {c.config.AppID}, "secret": {c.config.Secret}, "js_code": {code}, "grant_type": {"authorization_code"},
	}, &answer)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("exchange a login code: %w", err)
	case answer.Code != 0:
		return "", "", fmt.Errorf("exchange a login code: the platform answers %d", answer.Code)
	case answer.OpenID == "" || len(answer.OpenID) > maxOpenID:
		return "", "", errors.New("exchange a login code: the platform gives no identity")
	case answer.SessionKey == "" || len(answer.SessionKey) > maxKey:
		return "", "", errors.New("exchange a login code: the platform gives no session key")
	}
	return answer.OpenID, answer.SessionKey, nil
}

func (c *Client) get(ctx context.Context, path string, query url.Values, into any) error {
	body, err := c.ask(ctx, http.MethodGet, path, query, nil, maxAnswer)
	if err != nil {
		return err
	}
	if json.Unmarshal(body, into) != nil { // its error could contain a part of a key
		return errUnreadable
	}
	return nil
}

var errUnreadable = errors.New("the platform's answer is not the JSON expected")

// ask calls the platform, with a JSON body if there is one, and returns at most most bytes of the answer.
func (c *Client) ask(
	ctx context.Context, method, path string, query url.Values, body []byte, most int64,
) ([]byte, error) {
	address := c.base.JoinPath(path)
	address.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(body))
	if err != nil {
		return nil, discreet(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, discreet(err)
	}
	defer func() { _ = answer.Body.Close() }() // everything needed has been read
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the platform answers with HTTP status %d", answer.StatusCode)
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return nil, fmt.Errorf("read the platform's answer: %w", discreet(err))
	}
	return content, nil
}

// discreet removes the address, which contains the secret, from an error of net/http.
func discreet(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
