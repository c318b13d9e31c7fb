package wechatpay

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/payment/internal/platform"
)

// platformKeys are the platform's public keys by their ids; first is the id of the one to request.
type platformKeys struct {
	first string
	all   map[string]*rsa.PublicKey
}

// readPlatformKeys parses a list of the form ID=key. There are two while the platform changes its key.
func readPlatformKeys(list []string) (platformKeys, error) {
	keys := platformKeys{all: make(map[string]*rsa.PublicKey, len(list))}
	for i, entry := range list {
		what := fmt.Sprintf("platform-keys: entry %d", i+1)
		id, text, _ := strings.Cut(entry, "=")
		// A key without an id may end with =, so the part before it is checked too.
		if id, text = strings.TrimSpace(id), strings.TrimSpace(text); text == "" || !isKeyID(id) {
			return keys, errors.New(what + " is not of the form ID=key")
		}
		if keys.all[id] != nil {
			return keys, errors.New(what + " has the name of an earlier one")
		}
		key, _, err := platform.PublicKey(what, text)
		if err != nil {
			return keys, err
		}
		if keys.all[id] = key; i == 0 {
			keys.first = id
		}
	}
	return keys, nil
}

// isKeyID reports whether a text can be the id of a key: letters, digits and underscores.
func isKeyID(s string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
	return s != "" && len(s) <= 64 && strings.Trim(s, allowed) == ""
}
