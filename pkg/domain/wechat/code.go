package wechat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const (
	maxScene = 32      // characters
	maxCodes = 2 << 20 // bytes of a code's image
	// codeWidth is the width of codes in pixels.
	codeWidth = 430
	// sceneSigns are the characters allowed in a scene beside letters and digits.
	sceneSigns = "!#$&'()*+,/:;=?@-._~"
)

// Code requests a code that opens a page of the app with the scene. It returns an image file, JPEG or PNG.
func (c *Client) Code(ctx context.Context, page, scene string) ([]byte, error) {
	if scene == "" || len(scene) > maxScene || strings.ContainsFunc(scene, notOfScene) {
		return nil, fmt.Errorf("draw a code: %q is no scene", scene)
	}
	token, err := c.token(ctx)
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	body, err := json.Marshal(map[string]any{"scene": scene, "page": page, "width": codeWidth})
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	picture, err := c.ask(ctx, http.MethodPost, "wxa/getwxacodeunlimit", url.Values{"access_token": {token}}, body,
		maxCodes)
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	// A refusal has status 200 and JSON instead of the image.
	if bytes.HasPrefix(picture, []byte("{")) {
		var refusal struct {
			Code int `json:"errcode"`
		}
		if json.Unmarshal(picture, &refusal) != nil {
			return nil, fmt.Errorf("draw a code: %w", errUnreadable)
		}
		return nil, fmt.Errorf("draw a code: the platform answers %d", refusal.Code)
	}
	return picture, nil
}

func notOfScene(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune(sceneSigns, r)
}

// token returns the access token of the app. The platform's stable kind is the same for all callers during its life, so
// replicas do not invalidate each other's and nothing is cached here.
func (c *Client) token(ctx context.Context) (string, error) {
	body, err := json.Marshal(map[string]string{
		"grant_type": "client_credential", "appid": c.config.AppID, "secret": c.config.Secret,
	})
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	content, err := c.ask(ctx, http.MethodPost, "cgi-bin/stable_token", nil, body, maxAnswer)
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	var answer struct {
		Token string `json:"access_token"`
		Code  int    `json:"errcode"`
	}
	switch {
	case json.Unmarshal(content, &answer) != nil:
		return "", fmt.Errorf("ask for a token: %w", errUnreadable)
	case answer.Code != 0:
		return "", fmt.Errorf("ask for a token: the platform answers %d", answer.Code)
	case answer.Token == "":
		return "", errors.New("ask for a token: the platform gives none")
	}
	return answer.Token, nil
}
