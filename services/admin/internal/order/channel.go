package order

import (
	"context"
	"strings"

	"shop.internal/pkg/kit/op"
)

// Channel is a carrier that the console offers when goods are shipped.
type Channel struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Channels reads carriers of the form CODE=name; none gives the usual ones.
func Channels(configured []string) []Channel {
	if len(configured) == 0 {
		return usual()
	}
	channels := make([]Channel, len(configured))
	for i, c := range configured {
		channels[i].Code, channels[i].Name, _ = strings.Cut(c, "=")
	}
	return channels
}

func usual() []Channel {
	return []Channel{
		{"ZTO", "中通快递"},
		{"YTO", "圆通速递"},
		{"YD", "韵达速递"},
		{"YZPY", "邮政快递包裹"},
		{"EMS", "EMS"},
		{"DBL", "德邦快递"},
		{"FAST", "快捷快递"},
		{"ZJS", "宅急送"},
		{"TNT", "TNT快递"},
		{"UPS", "UPS"},
		{"DHL", "DHL"},
		{"FEDEX", "FEDEX联邦(国内件)"},
		{"FEDEX_GJ", "FEDEX联邦(国际件)"},
	}
}

func (h handlers) listChannels(context.Context, op.None) ([]Channel, error) { return h.channels, nil }
