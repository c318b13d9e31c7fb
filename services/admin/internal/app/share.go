package app

import (
	"fmt"
	"strings"

	"shop.internal/pkg/domain/share"
	"shop.internal/pkg/domain/wechat"
)

// shareOf returns the configuration of share images, with the app platform if an app is configured.
func shareOf(c Config) (share.Config, error) {
	s := share.Config{App: nil, AppPage: c.Share.AppPage, Page: c.Share.Page}
	if c.Wechat.AppID == "" {
		return s, nil
	}
	app, err := wechat.New(wechat.Config{
		AppID: c.Wechat.AppID, Secret: c.Wechat.AppSecret, BaseURL: c.Wechat.BaseURL,
	})
	if err != nil {
		return share.Config{}, fmt.Errorf("wechat.base-url: %w", err)
	}
	s.App = app
	return s, nil
}

// shareRules checks the rules that span the keys of share images and of the app platform.
func (c *Config) shareRules() []string {
	var wrong []string
	if (c.Wechat.AppID == "") != (c.Wechat.AppSecret == "") {
		wrong = append(wrong, "wechat: app-id and app-secret are needed both or not at all")
	}
	if c.Share.Page != "" && !strings.Contains(c.Share.Page, "{goods}") {
		wrong = append(wrong, "share.page: does not say where {goods} stand")
	}
	return wrong
}
