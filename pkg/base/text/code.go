package text

import "strings"

// ForCode declares the text of an error code of the contract by the code's name, such as "GOODS_NO_STOCK".
func ForCode(name string) *Text {
	return entry("errno." + strings.ReplaceAll(strings.ToLower(name), "_", "-"))
}
