package demo

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/storage"
)

// pictures are the pictures of the demo shop. data/pictures/render.py renders them from their sources.
//
//go:embed data/pictures/*.png
var pictures embed.FS

// galleryLength is the number of pictures of goods: the thing in each of its colours.
const galleryLength = 3

// thingPicture is the picture of a thing in its n-th colours, modulo their number.
func thingPicture(thing string, n int) string {
	return fmt.Sprintf("%s-%d.png", thing, n%galleryLength+1)
}

func iconPicture(thing string) string { return thing + "-icon.png" }

func bannerPicture(things ...string) string { return strings.Join(things, "+") + "-banner.png" }

// faces are the avatars of shoppers.
func faces() []string {
	return []string{
		"apple", "mug", "plant", "hat", "ball", "book", "teapot", "clock", "cake", "shoe", "tent", "lamp",
	}
}

// pictureNames lists the pictures of the shop, each once.
func pictureNames() ([]string, error) {
	tree, err := categories()
	if err != nil {
		return nil, err
	}
	makers, err := brands()
	if err != nil {
		return nil, err
	}
	goods, err := wares()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, c := range tree {
		all = append(all, iconPicture(c.picture), bannerPicture(c.picture, c.picture))
	}
	for _, b := range makers {
		all = append(all, thingPicture(b.picture, brandColours))
	}
	for _, w := range goods {
		all = append(all, galleryOf(w)...)
	}
	for _, t := range topics() {
		all = append(all, bannerPicture(t.things...))
	}
	for _, b := range banners() {
		all = append(all, bannerPicture(b.things...))
	}
	for _, f := range faces() {
		all = append(all, iconPicture(f))
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// brandColours are the colours in which brands show a thing.
const brandColours = 2

// galleryOf returns the names of the pictures of goods. Goods that show the same thing begin with different ones.
func galleryOf(w ware) []string {
	var all []string
	for n := range galleryLength {
		all = append(all, thingPicture(w.picture, w.colours+n))
	}
	return all
}

// storePictures stores the missing pictures and remembers the addresses of all.
func (l *loader) storePictures(ctx context.Context) error {
	all, err := pictureNames()
	if err != nil {
		return err
	}
	if l.pictures, err = l.Seed.Pictures(ctx); err != nil {
		return err
	}
	for i, name := range all {
		if l.pictures[name] != "" {
			continue
		}
		content, err := pictures.ReadFile("data/pictures/" + name)
		if err != nil {
			return fmt.Errorf("read the picture %s: %w", name, err)
		}
		o, err := l.Storage.Put(ctx, storage.Owner{Kind: storage.Shop, ID: 0}, name, content)
		if err != nil {
			return err
		}
		l.pictures[name] = o.URL
		if (i+1)%100 == 0 {
			l.say(fmt.Sprintf("  %d of %d", i+1, len(all)))
		}
	}
	return nil
}
