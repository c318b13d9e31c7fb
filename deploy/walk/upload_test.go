package main

import (
	"mime"
	"mime/multipart"
	"strings"
	"testing"
)

func TestForm(t *testing.T) {
	w := &walk{}
	s := &step{w: w}
	c := s.form("file", "a b.png", "image/png", []byte("\x89PNG"))
	_, params, err := mime.ParseMediaType(c.header["Content-Type"])
	if err != nil {
		t.Fatal(err)
	}
	body, _ := c.body.(string)
	read, err := multipart.NewReader(strings.NewReader(body), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	files := read.File["file"]
	if len(files) != 1 || files[0].Filename != "a b.png" || files[0].Size != 4 {
		t.Errorf("got %+v", files)
	}
}

func TestUnknownCode(t *testing.T) {
	if code := unknownCode(); len(code) != len(demoCode) || code == demoCode {
		t.Errorf("got %q", code)
	}
}
