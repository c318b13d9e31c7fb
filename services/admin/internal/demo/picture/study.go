package picture

import "image/color"

func study() map[string]func(*canvas, inks) {
	return map[string]func(*canvas, inks){
		"book": book, "books": books, "notebook": notebook, "pen": pen, "pencils": pencils, "tent": tent, "ball": ball,
		"umbrella": umbrella,
	}
}

func book(c *canvas, k inks) {
	c.path().from(50, 30).bend(32, 18, 12, 26).to(12, 78).bend(32, 70, 50, 82).bend(68, 70, 88, 78).to(88, 26).
		bend(68, 18, 50, 30).fill(k.main)
	c.path().from(50, 28).bend(34, 17, 16, 24).to(16, 72).bend(34, 66, 50, 77).fill(white)
	c.path().from(50, 28).bend(66, 17, 84, 24).to(84, 72).bend(66, 66, 50, 77).fill(paper)
	for i := range 4 {
		y := 36 + 9*float64(i)
		c.line(k.light, 2, 22, y-3, 44, y+2)
		c.line(k.shade, 2, 56, y+2, 78, y-3)
	}
	c.polygon(k.other, 64, 22, 70, 21, 70, 42, 67, 38, 64, 43)
}

func books(c *canvas, k inks) {
	lie := func(y, x, w float64, cover, mark color.RGBA) {
		c.box(cover, x, y, w, 14, 3)
		c.box(paper, x+w-9, y+3, 9, 8, 0)
		c.box(mark, x+8, y+5.4, w*0.36, 3.2, 1.4)
	}
	lie(70, 18, 64, k.main, k.light)
	lie(55, 24, 58, k.other, white)
	lie(40, 17, 60, k.deep, k.shade)
	lie(25, 27, 50, k.main, k.light)
	c.path().from(44, 24).bend(44, 12, 58, 12).bend(58, 24, 44, 24).fill(leaf)
}

func notebook(c *canvas, k inks) {
	c.box(k.dark, 27, 17, 50, 68, 4)
	c.box(paper, 27, 17, 48, 66, 4)
	c.box(k.main, 25, 15, 48, 67, 4)
	c.box(k.dark, 25, 15, 9, 67, 3)
	c.box(paper, 42, 28, 24, 16, 2)
	c.line(k.shade, 1.8, 46, 34, 62, 34)
	c.line(k.shade, 1.8, 46, 39, 56, 39)
	for i := range 6 {
		c.ring(steel, 2, 26, 22+10.6*float64(i), 5, 2.6, 90, 300)
	}
	c.polygon(k.other, 58, 82, 63, 82, 63, 91, 60.5, 88, 58, 91)
}

func pen(c *canvas, k inks) {
	c.line(k.shade, 1.6, 18, 80, 48, 80)
	c.line(k.dark, 10, 46, 58, 76, 24)
	c.line(k.main, 10, 46, 58, 62, 40)
	c.line(k.light, 2.4, 50, 50, 72, 25)
	c.line(k.deep, 2.2, 80, 28, 66, 44)
	c.polygon(hsl(44, 0.7, 0.6), 42, 54, 50.4, 61.4, 47, 67, 30, 77, 37, 58)
	c.line(k.deep, 1.2, 31, 76, 41, 64)
	c.circle(k.deep, 41.5, 63.5, 1.7)
	c.path().from(18, 80).bend(26, 70, 30, 77).bend(32, 84, 40, 79).bend(33, 87, 28, 79).bend(26, 75, 18, 80).fill(k.deep)
}

func pencils(c *canvas, k inks) {
	stand := func(x, top, tilt float64, body color.RGBA) {
		tip := x + 4 - tilt*0.2
		c.polygon(body, x, top+12, x+8, top+12, x+8+tilt, 62, x+tilt, 62)
		c.polygon(hsl(34, 0.6, 0.76), x, top+12, x+8, top+12, tip, top)
		c.polygon(body, x+2.7, top+4, x+5.3-tilt*0.1, top+4, tip, top)
	}
	stand(31, 18, 6, k.other)
	stand(43, 10, 2, k.main)
	stand(54, 16, -2, k.deep)
	stand(63, 24, -5, k.other)
	c.path().from(28, 46).to(72, 46).to(69, 80).bend(69, 85, 64, 85).to(36, 85).bend(31, 85, 31, 80).fill(k.main)
	c.polygon(k.light, 28, 46, 38, 46, 40, 85, 36, 85, 31, 80)
	c.box(k.dark, 26, 44, 48, 6, 3)
	c.circle(paper, 54, 66, 7)
}

func tent(c *canvas, k inks) {
	c.circle(hsl(46, 0.9, 0.72), 78, 24, 8)
	c.polygon(moss, 8, 84, 20, 50, 32, 84)
	c.polygon(leaf, 70, 84, 82, 44, 94, 84)
	c.polygon(k.dark, 50, 24, 88, 84, 40, 84)
	c.polygon(k.main, 50, 24, 62, 84, 12, 84)
	c.polygon(k.light, 50, 24, 37, 48, 12, 84, 24, 84)
	c.polygon(k.deep, 48, 46, 56, 84, 36, 84)
	c.polygon(k.other, 48, 46, 46, 66, 36, 84, 32, 84)
	c.line(timber, 1.8, 50, 24, 47, 18)
}

func ball(c *canvas, k inks) {
	c.circle(k.dark, 50, 53, 32)
	c.circle(k.main, 50, 52, 32)
	c.arc(k.light, 50, 52, 32, 32, 200, 290)
	c.ring(paper, 2.4, 16, 52, 30, 30, -52, 52)
	c.ring(paper, 2.4, 84, 52, 30, 30, 128, 232)
	c.line(paper, 2.4, 50, 20.5, 50, 83.5)
	c.line(paper, 2.4, 18.5, 52, 81.5, 52)
}

func umbrella(c *canvas, k inks) {
	c.line(timber, 3, 50, 20, 50, 76)
	c.ring(timber, 3, 44, 76, 6, 8, 0, 180)
	c.path().from(12, 52).bend(14, 18, 50, 18).bend(86, 18, 88, 52).bend(82, 46, 75, 52).bend(69, 46, 62.5, 52).
		bend(56, 46, 50, 52).bend(44, 46, 37.5, 52).bend(31, 46, 25, 52).bend(18, 46, 12, 52).fill(k.main)
	c.path().from(50, 18).bend(30, 26, 25, 52).bend(31, 46, 37.5, 52).bend(40, 30, 50, 18).fill(k.light)
	c.path().from(50, 18).bend(60, 30, 62.5, 52).bend(69, 46, 75, 52).bend(70, 26, 50, 18).fill(k.dark)
	c.circle(k.other, 50, 17, 3)
}
