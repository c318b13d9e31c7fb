package message_test

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/wechat/wechattest"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
	"shop.internal/services/storefront/internal/message"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, message.Ops(message.Deps{})...)) }

const (
	token = "the-token-of-the-messages"
	path  = "/wx/msg/config"
)

func open(t *testing.T) *apitest.Shop {
	t.Helper()
	return apitest.OpenWith(t, func(c *app.Config) { c.Wechat.MessageToken = token })
}

// query is one that the platform has signed with a token, and with further parameters.
func query(token string, more ...string) string {
	q := url.Values{"timestamp": {"1893556800"}, "nonce": {"n-1"}, "signature": {wechattest.Sign(token, "1893556800", "n-1")}}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return path + "?" + q.Encode()
}

func says(t *testing.T, a *optest.Answer, text string) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, "text/plain; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Equal(t, text, string(a.Body))
	require.Zero(t, a.Statements)
}

func TestProve(t *testing.T) {
	t.Parallel()
	guest := open(t).Guest()
	says(t, guest.GET("%s", query(token, "echostr", "5837436283746")), "5837436283746")
	says(t, guest.GET("%s", query(token, "echostr", `<script>&"林`)), `<script>&"林`)
	says(t, guest.GET("%s", query(token)), "")
}

// Messages without the platform's signature are refused.
func TestUnsigned(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, q := range map[string]string{
		"nothing":          path,
		"only a text":      path + "?echostr=x",
		"another token":    query("another", "echostr", "x"),
		"no token":         query("", "echostr", "x"),
		"another time":     query(token, "echostr", "x", "timestamp", "1893556801"),
		"another nonce":    query(token, "echostr", "x", "nonce", "n-2"),
		"no signature":     query(token, "echostr", "x", "signature", ""),
		"half a signature": query(token, "echostr", "x", "signature", wechattest.Sign(token, "1893556800", "n-1")[:20]),
	} {
		t.Run(name, func(t *testing.T) {
			says(t, s.Guest().In(t).GET("%s", q), "fail")
			says(t, s.Guest().In(t).POST(q, text), "fail")
		})
	}
}

func TestWithoutAToken(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, signed := range []string{token, ""} {
		says(t, s.Guest().GET("%s", query(signed, "echostr", "x")), "fail")
		says(t, s.Guest().POST(query(signed), text), "fail")
	}
}

const text = `<xml><ToUserName><![CDATA[gh_shop]]></ToUserName><FromUserName><![CDATA[o-lin]]></FromUserName>` +
	`<CreateTime>1893556800</CreateTime><MsgType><![CDATA[text]]></MsgType><Content><![CDATA[hello]]></Content>` +
	`<MsgId>1</MsgId></xml>`

func TestForward(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.Guest().POST(query(token), text)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, "application/xml; charset=utf-8", a.Header.Get("Content-Type"))
	require.Equal(t, `<xml><ToUserName><![CDATA[o-lin]]></ToUserName><FromUserName><![CDATA[gh_shop]]></FromUserName>`+
		`<CreateTime>1893556800</CreateTime><MsgType><![CDATA[transfer_customer_service]]></MsgType></xml>`, string(a.Body))
	require.EqualValues(t, 1893556800, domaintest.Noon.Unix())
	require.Empty(t, s.Domain.Messages.All(), "nobody is sent anything")
	require.Zero(t, a.Statements)
}

// Names are returned as text, whatever they contain.
func TestForwardEscapes(t *testing.T) {
	t.Parallel()
	const evil = `]]><MsgType>text</MsgType><![CDATA[ & <b>`
	body, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"xml"`
		To      string   `xml:"ToUserName"`
		From    string   `xml:"FromUserName"`
	}{To: "gh_shop", From: evil})
	require.NoError(t, err)
	a := open(t).Guest().POST(query(token), "%s", body)
	var got struct {
		To   string   `xml:"ToUserName"`
		From string   `xml:"FromUserName"`
		Type []string `xml:"MsgType"`
	}
	require.NoError(t, xml.Unmarshal(a.Body, &got))
	require.Equal(t, evil, got.To)
	require.Equal(t, []string{"transfer_customer_service"}, got.Type)
}

func TestForwardRefuses(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, body := range map[string]string{
		"nothing":        ``,
		"JSON":           `{"ToUserName":"gh_shop","FromUserName":"o-lin"}`,
		"half a message": text[:len(text)-8],
		"another root":   `<html><ToUserName>a</ToUserName><FromUserName>b</FromUserName></html>`,
		"no sender":      `<xml><ToUserName>gh_shop</ToUserName></xml>`,
		"no receiver":    `<xml><FromUserName>o-lin</FromUserName></xml>`,
		"sealed":         `<xml><ToUserName>gh_shop</ToUserName><Encrypt>AAAA</Encrypt></xml>`,
		"an entity of its own": `<!DOCTYPE xml [<!ENTITY f SYSTEM "file:///etc/passwd">]><xml><ToUserName>&f;</ToUserName>` +
			`<FromUserName>o-lin</FromUserName></xml>`,
		"a document type":   `<!DOCTYPE xml SYSTEM "http://evil.test/x.dtd">` + text,
		"an unknown entity": `<xml><ToUserName>&nbsp;</ToUserName><FromUserName>o-lin</FromUserName></xml>`,
		"another encoding":  `<?xml version="1.0" encoding="gbk"?>` + text,
		"nested deeply":     `<xml>` + strings.Repeat("<a>", 15_000) + strings.Repeat("</a>", 3_000),
		"too much":          strings.Replace(text, "hello", strings.Repeat("x", 70_000), 1),
		"bytes":             "\x00\xff",
	} {
		t.Run(name, func(t *testing.T) {
			says(t, s.Guest().In(t).POST(query(token), "%s", body), "fail")
		})
	}
}
