package app

import (
	"fmt"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/wechat"
)

// accountsOf returns the configuration of accounts, with the app platform if one is configured.
func accountsOf(c Config) (account.Config, error) {
	a := account.Config{
		CodeSecret: []byte(c.Secrets.Codes), CodeTTL: c.Codes.Life, CodesPerMobile: c.Codes.PerMobile,
		CodesPerAddress: c.Codes.PerAddress, LoginPerAccount: c.Login.PerAccount, LoginPerAddress: c.Login.PerAddress,
		SessionSecret: []byte(c.Secrets.Session),
	}
	if c.Wechat.AppID == "" {
		return a, nil
	}
	platform, err := wechat.New(wechat.Config{
		AppID: c.Wechat.AppID, Secret: c.Wechat.AppSecret, BaseURL: c.Wechat.BaseURL,
		International: !c.Shop.Place().IsChina(),
	})
	if err != nil {
		return account.Config{}, fmt.Errorf("wechat.base-url: %w", err)
	}
	a.Platform = platform
	return a, nil
}

// platformRules checks the rules that span the keys of the app platform.
func (c *Config) platformRules() []string {
	var wrong []string
	switch {
	case c.Wechat.AppID == "" && c.Wechat.AppSecret != "":
		wrong = append(wrong, "wechat.app-id: is needed where wechat.app-secret is given")
	case c.Wechat.AppID != "" && c.Wechat.AppSecret == "":
		wrong = append(wrong, "wechat.app-secret: is needed where wechat.app-id is given")
	}
	if c.Wechat.AppID != "" && c.Secrets.Session == "" {
		wrong = append(wrong, "secrets.session: is needed where wechat.app-id is given")
	}
	return wrong
}
