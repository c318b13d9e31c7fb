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
	maxCodes = 2 << 20 // bytes of a drawn code
	// codeWidth is how wide codes are drawn, in pixels.
	codeWidth = 430
	// sceneSigns is what a scene may hold beside letters and digits.
	sceneSigns = "!#$&'()*+,/:;=?@-._~"
)

// Code has the platform draw a code that opens a page of the app and hands it the scene. It returns the file of a
// picture, JPEG or PNG.
func (c *Client) Code(ctx context.Context, page, scene string) ([]byte, error) {
	if scene == "" || len(scene) > maxScene || strings.ContainsFunc(scene, notOfScene) {
		return nil, fmt.Errorf("draw a code: %q is no scene", scene)
	}
	token, err := c.token(ctx)
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	wish, err := json.Marshal(map[string]any{"scene": scene, "page": page, "width": codeWidth})
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	picture, err := c.ask(ctx, http.MethodPost, "wxa/getwxacodeunlimit", url.Values{"access_token": {token}}, wish,
		maxCodes)
	if err != nil {
		return nil, fmt.Errorf("draw a code: %w", err)
	}
	// A refusal comes with status 200, as JSON in the place of the picture.
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

// token returns what calls in the app's name carry. The platform's stable kind is the same for everybody who asks
// within its life, so replicas do not end each other's and nothing need be kept here.
func (c *Client) token(ctx context.Context) (string, error) {
	wish, err := json.Marshal(map[string]string{
		"grant_type": "client_credential", "appid": c.config.AppID, "secret": c.config.Secret,
	})
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	said, err := c.ask(ctx, http.MethodPost, "cgi-bin/stable_token", nil, wish, maxAnswer)
	if err != nil {
		return "", fmt.Errorf("ask for a token: %w", err)
	}
	var answer struct {
		Token string `json:"access_token"`
		Code  int    `json:"errcode"`
	}
	switch {
	case json.Unmarshal(said, &answer) != nil:
		return "", fmt.Errorf("ask for a token: %w", errUnreadable)
	case answer.Code != 0:
		return "", fmt.Errorf("ask for a token: the platform answers %d", answer.Code)
	case answer.Token == "":
		return "", errors.New("ask for a token: the platform gives none")
	}
	return answer.Token, nil
}
