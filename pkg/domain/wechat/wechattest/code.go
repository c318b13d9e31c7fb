package wechattest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"

	"rsc.io/qr"
)

const token = "a-token-of-the-app"

func giveToken(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Grant  string `json:"grant_type"`
		AppID  string `json:"appid"`
		Secret string `json:"secret"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	switch {
	case err != nil || body.Grant != "client_credential" || r.URL.RawQuery != "":
		_, _ = fmt.Fprint(w, `{"errcode":40002,"errmsg":"invalid grant_type"}`)
	case body.AppID != AppID || body.Secret != Secret:
		_, _ = fmt.Fprint(w, `{"errcode":40125,"errmsg":"invalid appsecret"}`)
	default:
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"expires_in":7200}`, token)
	}
}

func drawCode(w http.ResponseWriter, r *http.Request, refusal int) {
	var body struct {
		Page, Scene string
		Width       int
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	switch {
	case r.URL.Query().Get("access_token") != token:
		_, _ = fmt.Fprint(w, `{"errcode":40001,"errmsg":"invalid credential"}`)
	case err != nil || body.Scene == "" || len(body.Scene) > 32 || body.Width < 280 || body.Width > 1280:
		_, _ = fmt.Fprint(w, `{"errcode":40129,"errmsg":"invalid scene"}`)
	case refusal != 0:
		_, _ = fmt.Fprintf(w, `{"errcode":%d,"errmsg":"refused"}`, refusal)
	default:
		m, err := codeOf(body.Page + "?" + body.Scene)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "image/jpeg")
		_ = jpeg.Encode(w, m, nil)
	}
}

func codeOf(text string) (image.Image, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, err
	}
	code.Scale = 10
	return png.Decode(bytes.NewReader(code.PNG()))
}
