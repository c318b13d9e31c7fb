package demo

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"shop.internal/pkg/domain/storage"
	"shop.internal/services/admin/internal/demo/picture"
)

// galleryLength is the number of pictures of one goods.
const galleryLength = 3

// galleryNumber is the number that gives the n-th picture of the i-th goods its colours.
func galleryNumber(i, n int) int { return i + 101*n }

// A picture is stored under a name that says how to draw it.
func thingName(thing string, n int) string { return fmt.Sprintf("thing-%s-%d.png", thing, n) }

func iconName(thing string, n int) string { return fmt.Sprintf("icon-%s-%d.png", thing, n) }

func bannerName(n int, things ...string) string {
	return fmt.Sprintf("banner-%s-%d.png", strings.Join(things, "+"), n)
}

// sketch is a picture to be made.
type sketch struct {
	name string
	draw func() ([]byte, error)
}

func thing(name string, n int) sketch {
	return sketch{thingName(name, n), func() ([]byte, error) { return picture.Thing(name, n) }}
}

func icon(name string, n int) sketch {
	return sketch{iconName(name, n), func() ([]byte, error) { return picture.Icon(name, n) }}
}

func wide(n int, names ...string) sketch {
	return sketch{bannerName(n, names...), func() ([]byte, error) { return picture.Banner(n, names...) }}
}

// sketches lists every picture of the shop.
func sketches() ([]sketch, error) {
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
	var all []sketch
	for i, c := range tree {
		all = append(all, icon(c.picture, i), wide(i, c.picture, c.picture))
	}
	for i, b := range makers {
		all = append(all, thing(b.picture, 60+i))
	}
	for i, w := range goods {
		for n := range galleryLength {
			all = append(all, thing(w.picture, galleryNumber(i, n)))
		}
	}
	for _, t := range topics() {
		all = append(all, wide(t.colour, t.things...))
	}
	for _, b := range banners() {
		all = append(all, wide(b.colour, b.things...))
	}
	for n := range faces {
		all = append(all, icon(face(n)))
	}
	return all, nil
}

// faces is the number of different pictures that shoppers have.
const faces = 12

func face(n int) (string, int) {
	things := []string{"apple", "mug", "plant", "hat", "ball", "book"}
	return things[n%len(things)], 200 + n
}

func faceName(n int) string { return iconName(face(n)) }

// draw stores the pictures that are not there yet and remembers the addresses of all.
func (l *loader) draw(ctx context.Context) error {
	all, err := sketches()
	if err != nil {
		return err
	}
	if l.pictures, err = l.Seed.Pictures(ctx); err != nil {
		return err
	}
	var missing []sketch
	seen := map[string]bool{}
	for _, s := range all {
		if l.pictures[s.name] == "" && !seen[s.name] {
			missing = append(missing, s)
		}
		seen[s.name] = true
	}
	return l.drawAll(ctx, missing)
}

// drawAll works with a few painters at once; the first failure stops them.
func (l *loader) drawAll(ctx context.Context, missing []sketch) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var painters sync.WaitGroup
	var mu sync.Mutex
	queue := make(chan sketch)
	for range runtime.GOMAXPROCS(0) {
		painters.Go(func() {
			for s := range queue {
				address, err := l.paint(ctx, s)
				if err != nil {
					stop(err)
				}
				mu.Lock()
				l.pictures[s.name] = address
				mu.Unlock()
			}
		})
	}
	for i, s := range missing {
		if ctx.Err() != nil {
			break
		}
		queue <- s
		if (i+1)%100 == 0 {
			l.say(fmt.Sprintf("  %d of %d", i+1, len(missing)))
		}
	}
	close(queue)
	painters.Wait()
	return context.Cause(ctx)
}

func (l *loader) paint(ctx context.Context, s sketch) (string, error) {
	bytes, err := l.picture(s)
	if err != nil {
		return "", err
	}
	o, err := l.Storage.Put(ctx, storage.Owner{Kind: storage.Shop, ID: 0}, s.name, bytes)
	return o.URL, err
}
