package settings

import (
	"net/url"
	"strings"

	"shop.internal/pkg/base/colour"
	wording "shop.internal/pkg/base/text"
)

// colorName is the key of the shop's colour.
const colorName = "litemall_mall_color"

// logoName is the key of the address of the shop's picture.
const logoName = "litemall_mall_logo"

// longestAddress bounds the bytes of the address of a picture.
const longestAddress = 255

// address reads the address of a picture: a whole one, or a path of the shop.
func address(at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = s
		u, err := url.Parse(s)
		if err != nil || len(s) > longestAddress {
			return false
		}
		path := u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/")
		return path || (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	}
}

// color reads a colour on which white text can be read.
func color(at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		c, ok := colour.Parse(s)
		*at(v) = s
		return ok && c.Contrast(colour.White) >= colour.Readable
	}
}

// refusal says what is wrong with the text of a setting.
func (k key) refusal() (why *wording.Text, args []any) {
	switch k.name {
	case colorName:
		return wording.SettingColorWrong, nil
	case logoName:
		return wording.ValidationURLOrPath, []any{k.label}
	}
	return wording.SettingWrong, []any{k.label}
}
