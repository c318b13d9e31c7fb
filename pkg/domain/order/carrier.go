package order

import (
	"strings"

	wording "shop.internal/pkg/base/text"
)

// Channel is a carrier with its code.
type Channel struct{ Code, Name string }

// Channels are the carriers that the shop uses.
type Channels []Channel

// defaults are the codes of the carriers of a shop that has configured none.
var defaults = []string{
	"ZTO", "YTO", "YD", "YZPY", "EMS", "DBL", "FAST", "ZJS", "TNT", "UPS", "DHL", "FEDEX", "FEDEX_GJ",
}

// ParseChannels parses carriers of the form CODE=name; without any it returns the defaults, named in a language.
func ParseChannels(configured []string, language string) Channels {
	if len(configured) == 0 {
		channels := make(Channels, len(defaults))
		for i, code := range defaults {
			channels[i] = Channel{code, wording.ForCarrier(code).In(language)}
		}
		return channels
	}
	channels := make(Channels, len(configured))
	for i, c := range configured {
		channels[i].Code, channels[i].Name, _ = strings.Cut(c, "=")
	}
	return channels
}

// Name returns the name of a carrier, or the code if it is unknown.
func (c Channels) Name(code string) string {
	for _, known := range c {
		if known.Code == code {
			return known.Name
		}
	}
	return code
}
