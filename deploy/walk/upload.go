package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
)

const (
	uploadPath  = "/wx/storage/upload"
	storedShape = "id int, key text, name text, type text, size int, url text" + stamps
	side        = 24 // pixels of the picture that is uploaded
)

// drawing makes a picture that no other walk makes.
func drawing() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		if rand.IntN(2) == 0 {
			img.Set(i%side, i/side, color.White)
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// form writes a form with one file in it.
func (s *step) form(part, name, declared string, data []byte) call {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", `form-data; name="`+part+`"; filename="`+name+`"`)
	header.Set("Content-Type", declared)
	f, err := w.CreatePart(header)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		s.fatalf(nil, "writing the form: %v", err)
	}
	return call{
		method: http.MethodPost, path: uploadPath, body: b.String(),
		header: map[string]string{"Content-Type": w.FormDataContentType()},
	}
}

// picture draws a picture or ends the step.
func (s *step) picture() []byte {
	data, err := drawing()
	if err != nil {
		s.fatalf(nil, "drawing a picture: %v", err)
	}
	return data
}

var storedKey = regexp.MustCompile(`^[0-9A-Za-z]{20,}\.png$`)

// uploads plays a picture that a shopper brings, and files that the shop must not take.
func (w *walk) uploads(c *chapter) {
	c.step("upload a picture and load it", func(s *step) {
		s.need(w.first != nil, "shopper")
		data := s.send(w.first.agent, s.form("file", "../../a walk.png", "text/plain", s.picture())).ok().shape(storedShape)
		equal(s, data.ex, "type", "image/png", data.at("type").text())
		equal(s, data.ex, "name without a path", "a walk.png", data.at("name").text())
		key := data.at("key").text()
		if !storedKey.MatchString(key) {
			s.failf(data.ex, "key: expected 20 random characters or more and .png, got %q", key)
		}
		w.uploaded = data.at("url").text()
		for _, address := range []string{w.uploaded, w.guest.base + "/wx/storage/fetch/" + key} {
			w.loadUploaded(s, address)
		}
		ex := s.raw(w.guest, call{method: http.MethodGet, path: "/wx/storage/download/" + key})
		equal(s, ex, "HTTP status of a download", http.StatusOK, ex.status)
		equal(s, ex, "Content-Disposition of a download", `attachment; filename="`+key+`"`,
			ex.header.Get("Content-Disposition"))
	})
	c.try("files that must be refused", func(s *step) {
		me := w.first.agent
		s.send(me, s.form("file", "x.png", "image/png", []byte("<html><script>alert(1)</script></html>"))).fails(402)
		s.send(me, s.form("file", "x.svg", "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))).fails(402)
		s.send(me, s.form("file", "x.png", "image/png", nil)).fails(402)
		s.send(me, s.form("picture", "x.png", "image/png", s.picture())).fails(401)
	})
	c.try("a picture without a token, as the mini program sends it to the demo shop", func(s *step) {
		s.send(w.guest, s.form("file", "x.png", "image/png", s.picture())).ok().shape(storedShape)
	})
}

// loadUploaded loads the uploaded picture as anybody may, and looks at its pixels.
func (w *walk) loadUploaded(s *step, address string) {
	ex := s.raw(agent{name: w.guest.name, base: ""}, call{method: http.MethodGet, path: address})
	equal(s, ex, "HTTP status of the picture", http.StatusOK, ex.status)
	equal(s, ex, "Content-Type of the picture", "image/png", ex.header.Get("Content-Type"))
	equal(s, ex, "X-Content-Type-Options", "nosniff", ex.header.Get("X-Content-Type-Options"))
	img, err := png.Decode(bytes.NewReader(ex.got))
	if err != nil {
		s.fatalf(ex, "the stored picture cannot be read: %v", err)
	}
	equal(s, ex, "size of the picture", image.Pt(side, side), img.Bounds().Size())
}
