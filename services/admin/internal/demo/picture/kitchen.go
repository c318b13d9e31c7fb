package picture

func kitchen() map[string]func(*canvas, inks) {
	return map[string]func(*canvas, inks){
		"mug": mug, "teapot": teapot, "bowl": bowl, "plate": plate, "pan": pan, "board": board, "flask": flask,
	}
}

func mug(c *canvas, k inks) {
	c.ring(k.dark, 6, 69, 56, 11, 12, -100, 100)
	c.path().from(28, 34).to(70, 34).to(68, 76).bend(67, 83, 60, 83).to(38, 83).bend(31, 83, 30, 76).fill(k.main)
	c.path().from(28, 34).to(40, 34).to(41, 83).to(38, 83).bend(31, 83, 30, 76).fill(k.light)
	c.ellipse(k.dark, 49, 34, 21, 5)
	c.ellipse(timber, 49, 35, 17.5, 3.6)
	c.box(k.other, 43, 53, 14, 12, 6)
	c.ring(white, 2, 42, 22, 2.4, 5, -90, 90)
	c.ring(white, 2, 42, 12, 2.4, 5, 90, 270)
	c.ring(white, 2, 56, 24, 2.4, 5, -90, 90)
	c.ring(white, 2, 56, 14, 2.4, 5, 90, 270)
}

func teapot(c *canvas, k inks) {
	c.ring(k.dark, 5, 25, 56, 11, 13, 70, 290)
	c.path().from(66, 66).bend(80, 62, 82, 42).to(90, 40).bend(88, 70, 68, 78).fill(k.dark)
	c.ellipse(k.main, 48, 60, 27, 23)
	c.path().from(24, 70).bend(22, 50, 36, 40).bend(28, 58, 36, 79).bend(27, 76, 24, 70).fill(k.light)
	c.box(k.dark, 38, 81, 20, 4, 2)
	c.arc(k.dark, 48, 42, 17, 9, 180, 360)
	c.circle(k.other, 48, 31, 4)
	c.line(k.other, 2.6, 40, 62, 58, 62)
	c.line(k.other, 2.6, 43, 69, 55, 69)
}

func bowl(c *canvas, k inks) {
	c.line(timber, 2.6, 60, 16, 46, 48)
	c.line(timber, 2.6, 68, 18, 54, 48)
	c.ellipse(paper, 50, 46, 27, 11)
	c.ellipse(white, 42, 43, 12, 6)
	c.ellipse(white, 58, 44, 11, 5)
	c.path().from(17, 48).to(83, 48).bend(81, 72, 62, 79).to(38, 79).bend(19, 72, 17, 48).fill(k.main)
	c.path().from(17, 48).to(83, 48).to(82, 54).to(18, 54).fill(k.dark)
	c.path().from(24, 59).bend(27, 70, 37, 75).bend(31, 68, 30, 59).fill(k.light)
	c.box(k.dark, 38, 79, 24, 5, 2)
}

func plate(c *canvas, k inks) {
	c.circle(k.dark, 50, 51, 33)
	c.circle(k.main, 50, 49, 33)
	c.circle(white, 50, 49, 23)
	c.circle(k.ground, 50, 50, 20)
	for i := range 4 {
		dx, dy := []float64{0, 27.5, 0, -27.5}[i], []float64{-27.5, 0, 27.5, 0}[i]
		c.circle(k.light, 50+dx, 49+dy, 2.6)
	}
	c.path().from(40, 58).bend(42, 38, 62, 40).bend(62, 58, 40, 58).fill(leaf)
	c.line(moss, 1.6, 41, 57, 57, 44)
}

func pan(c *canvas, k inks) {
	c.box(timber, 68, 47, 27, 7, 3.5)
	c.path().from(10, 44).to(70, 44).bend(70, 66, 58, 68).to(22, 68).bend(10, 66, 10, 44).fill(k.deep)
	c.ellipse(steel, 40, 44, 30, 8)
	c.ellipse(k.deep, 40, 45, 26, 6)
	c.path().from(26, 45).bend(28, 38, 40, 41).bend(54, 38, 54, 46).bend(46, 50, 38, 48).bend(28, 51, 26, 45).fill(white)
	c.ellipse(k.other, 41, 44.5, 6, 2.6)
	c.box(k.main, 16, 68, 48, 15, 4)
	c.box(k.light, 22, 72, 12, 7, 3)
	c.box(k.light, 46, 72, 12, 7, 3)
}

func board(c *canvas, k inks) {
	c.box(timber, 20, 27, 62, 56, 6)
	c.box(wood, 18, 24, 62, 56, 6)
	c.circle(k.ground, 72, 32, 3.4)
	c.line(timber, 1.2, 26, 36, 60, 36)
	c.line(timber, 1.2, 26, 68, 72, 68)
	c.path().from(28, 60).bend(44, 30, 62, 44).to(36, 66).bend(30, 66, 28, 60).fill(k.light)
	c.line(k.deep, 6, 63, 43, 73, 34)
	c.circle(k.main, 62, 64, 8)
	c.circle(k.light, 62, 64, 5.6)
	c.circle(k.main, 46, 72, 5)
}

func flask(c *canvas, k inks) {
	c.box(k.deep, 40, 12, 20, 13, 4)
	c.box(k.dark, 36, 23, 28, 7, 3)
	c.path().from(36, 30).to(64, 30).bend(70, 36, 70, 44).to(70, 78).bend(70, 84, 64, 84).to(36, 84).bend(30, 84, 30, 78).
		to(30, 44).bend(30, 36, 36, 30).fill(k.main)
	c.box(k.light, 35, 42, 6, 34, 3)
	c.box(k.other, 48, 52, 22, 16, 0)
	c.circle(white, 59, 60, 4.5)
}
