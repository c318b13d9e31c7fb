package wechat

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
)

// maxEncrypted bounds the characters of an encrypted number; the platform's have about 300.
const maxEncrypted = 8 << 10

// errCiphertext is the only error for data that cannot be decrypted, so that answers do not reveal how far the
// decryption went.
var errCiphertext = errors.New("the sealed mobile number cannot be opened")

// Phone decrypts a mobile number that the platform has encrypted for this app (AES-128-CBC with the session key, PKCS
// #7). It is in the international form if the configuration says so; otherwise only foreign numbers are.
func (c *Client) Phone(key, iv, sealed string) (string, error) {
	plain, ok := open(key, iv, sealed)
	if !ok {
		return "", errCiphertext
	}
	var data struct {
		PhoneNumber string `json:"phoneNumber"`
		Pure        string `json:"purePhoneNumber"`
		CountryCode string `json:"countryCode"`
		Watermark   struct {
			AppID string `json:"appid"`
		} `json:"watermark"`
	}
	// A number that was encrypted for another app is refused.
	if json.Unmarshal(plain, &data) != nil || data.Watermark.AppID != c.config.AppID || c.config.AppID == "" {
		return "", errCiphertext
	}
	if c.config.International {
		return "+" + data.CountryCode + data.Pure, nil
	}
	return data.PhoneNumber, nil
}

func open(key, iv, sealed string) ([]byte, bool) {
	if len(sealed) > maxEncrypted {
		return nil, false
	}
	k, errKey := base64.StdEncoding.DecodeString(key)
	v, errIV := base64.StdEncoding.DecodeString(iv)
	data, errData := base64.StdEncoding.DecodeString(sealed)
	if errKey != nil || errIV != nil || errData != nil ||
		len(k) != 16 || len(v) != aes.BlockSize || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, false
	}
	block, err := aes.NewCipher(k)
	if err != nil {
		return nil, false
	}
	cipher.NewCBCDecrypter(block, v).CryptBlocks(data, data)
	return unpad(data)
}

// unpad removes the PKCS #7 padding.
func unpad(data []byte) ([]byte, bool) {
	n := int(data[len(data)-1])
	if n == 0 || n > aes.BlockSize {
		return nil, false
	}
	for _, b := range data[len(data)-n:] {
		if int(b) != n {
			return nil, false
		}
	}
	return data[:len(data)-n], true
}
