package order

import "strings"

// Channel is a carrier by its code.
type Channel struct{ Code, Name string }

// Channels are the carriers that a shop ships with.
type Channels []Channel

// ParseChannels reads carriers of the form CODE=name; none gives the usual ones.
func ParseChannels(configured []string) Channels {
	if len(configured) == 0 {
		return Channels{
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
	channels := make(Channels, len(configured))
	for i, c := range configured {
		channels[i].Code, channels[i].Name, _ = strings.Cut(c, "=")
	}
	return channels
}

// Name is the name of a carrier, or the code itself where it is unknown.
func (c Channels) Name(code string) string {
	for _, known := range c {
		if known.Code == code {
			return known.Name
		}
	}
	return code
}
