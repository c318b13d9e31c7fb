// Package message answers the app platform, which verifies the shop's address and forwards messages of its users. The
// shop passes every message on to customer service.
package message

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/wechat"
	"shop.internal/pkg/kit/op"
)

// messageLimit bounds the size of a message; the platform's texts have at most 2 KiB.
const messageLimit = 64 << 10

// Deps are what the operations need.
type Deps struct {
	// Token is the text that only the app platform and the shop know; while it is empty every call is refused.
	Token string
	Now   func() time.Time
}

type handlers struct{ Deps }

// Ops declares the operations for the app platform. token is the shared secret; while it is empty every call is
// refused.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Raw{
			Method: http.MethodGet, Path: "/wx/msg/config", Title: "Prove the address to the app platform",
			Access: op.Public, Serve: h.verify,
		},
		op.Raw{
			Method: http.MethodPost, Path: "/wx/msg/config", Title: "Hand a message of the app platform to customer service",
			Access: op.Public, Serve: h.forward,
		},
	}
}

// signed reports whether the platform has signed the query.
func (h handlers) signed(q url.Values) bool {
	return wechat.Signed(h.Token, q.Get("signature"), q.Get("timestamp"), q.Get("nonce"))
}

var errUnsigned = fmt.Errorf("the platform has not signed it: %w", errno.Invalid)

// verify echoes the text of a signed query.
func (h handlers) verify(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	if !h.signed(q) {
		return fail(w, errUnsigned)
	}
	return say(w, "text/plain; charset=utf-8", []byte(q.Get("echostr")))
}

// forward answers a signed message with a transfer to customer service.
func (h handlers) forward(w http.ResponseWriter, r *http.Request) error {
	if !h.signed(r.URL.Query()) {
		return fail(w, errUnsigned)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, messageLimit))
	if err != nil {
		return fail(w, fmt.Errorf("read the message: %w: %w", errno.Invalid, err))
	}
	m, err := read(body)
	if err != nil {
		return fail(w, fmt.Errorf("read the message: %w: %w", errno.Invalid, err))
	}
	answer, err := xml.Marshal(transfer{
		To: cdata{m.From}, From: cdata{m.To}, Time: h.Now().Unix(), Type: cdata{"transfer_customer_service"},
	})
	if err != nil {
		return fail(w, fmt.Errorf("write the answer: %w", err))
	}
	return say(w, "application/xml; charset=utf-8", answer)
}

// transfer is the answer that transfers a message to customer service.
type transfer struct {
	XMLName xml.Name `xml:"xml"`
	To      cdata    `xml:"ToUserName"`
	From    cdata    `xml:"FromUserName"`
	Time    int64    `xml:"CreateTime"`
	Type    cdata    `xml:"MsgType"`
}

// cdata is text in a CDATA section; the encoder splits an end of the section within it.
type cdata struct {
	Text string `xml:",cdata"`
}

// envelope is the part of a message that is read, without its content.
type envelope struct {
	XMLName xml.Name `xml:"xml"`
	To      string   `xml:"ToUserName"`
	From    string   `xml:"FromUserName"`
}

var (
	errDeclarations = errors.New("it declares a document type")
	errNobody       = errors.New("it names no sender or no receiver")
)

// read decodes the names in a message. Custom entities, which can expand without end or fetch addresses, are refused
// with the document type that would declare them, before anything is decoded.
func read(body []byte) (envelope, error) {
	d := xml.NewDecoder(bytes.NewReader(body))
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return envelope{}, fmt.Errorf("not XML: %w", err)
		}
		if _, declared := t.(xml.Directive); declared {
			return envelope{}, errDeclarations
		}
	}
	var e envelope
	if err := xml.Unmarshal(body, &e); err != nil {
		return envelope{}, fmt.Errorf("not a message: %w", err)
	}
	if e.To == "" || e.From == "" {
		return envelope{}, errNobody
	}
	return e, nil
}

// fail answers a refusal in the platform's format; the reason is logged.
func fail(w http.ResponseWriter, why error) error {
	return errors.Join(why, say(w, "text/plain; charset=utf-8", []byte("fail")))
}

func say(w http.ResponseWriter, kind string, text []byte) error {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	if _, err := w.Write(text); err != nil { //nolint:gosec // plain text or escaped XML, by its type, and nosniff
		return fmt.Errorf("answer the app platform: %w", err)
	}
	return nil
}
