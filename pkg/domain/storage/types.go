package storage

import (
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// extension returns the ending of keys for the media types that may be stored, "" for any other. Drawings (SVG) can
// carry programs, so only the shop's own are taken; what is no picture is taken from operators alone.
func extension(mediaType string, owner Owner) string {
	switch mediaType {
	case "image/jpeg":
		return ".jpg"
	case "image/png":
		return ".png"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	}
	switch {
	case mediaType == "image/svg+xml" && owner.Kind == Shop:
		return ".svg"
	case owner.Kind == Operator:
		return document(mediaType)
	}
	return ""
}

// document is extension for what is no picture.
func document(mediaType string) string {
	switch mediaType {
	case "video/mp4":
		return ".mp4"
	case "application/pdf":
		return ".pdf"
	case "application/zip":
		return ".zip"
	case "text/plain":
		return ".txt"
	}
	return ""
}

// typeOf finds the media type of bytes; of special forms, such as PNG that moves or a table as text, the usual one.
// Markup is text as well, but never taken for it: a browser may be made to show it as a page.
func typeOf(data []byte, owner Owner) string {
	found := mimetype.Detect(data)
	for m := found; m != nil; m = m.Parent() {
		name, _, _ := strings.Cut(m.String(), ";")
		if extension(name, owner) != "" {
			return name
		}
		if markup(name) {
			break
		}
	}
	return found.String()
}

func markup(mediaType string) bool {
	return mediaType == "text/html" || strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml")
}
