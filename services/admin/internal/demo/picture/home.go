package picture

func home() map[string]func(*canvas, inks) {
	return map[string]func(*canvas, inks){
		"lamp": lamp, "chair": chair, "sofa": sofa, "cushion": cushion, "plant": plant, "vase": vase, "towel": towel,
		"clock": clock,
	}
}

func lamp(c *canvas, k inks) {
	c.polygon(hsl(48, 0.9, 0.86), 36, 46, 64, 46, 80, 84, 20, 84)
	c.line(timber, 3.4, 50, 44, 50, 80)
	c.ellipse(timber, 50, 82, 18, 4)
	c.path().from(36, 18).to(64, 18).to(76, 48).bend(50, 54, 24, 48).fill(k.main)
	c.path().from(36, 18).to(44, 18).to(38, 50.5).bend(30, 50, 24, 48).fill(k.light)
	c.box(k.dark, 36, 15, 28, 4, 2)
	c.line(k.deep, 1.4, 62, 50, 62, 60)
	c.circle(k.deep, 62, 61, 2)
}

func chair(c *canvas, k inks) {
	c.line(timber, 4, 33, 56, 28, 84)
	c.line(timber, 4, 67, 56, 72, 84)
	c.line(wood, 4, 40, 58, 38, 80)
	c.line(wood, 4, 60, 58, 62, 80)
	c.box(k.dark, 31, 14, 38, 40, 9)
	c.box(k.main, 33, 16, 34, 36, 8)
	c.box(k.light, 38, 21, 7, 25, 3.5)
	c.box(k.dark, 26, 53, 48, 9, 4.5)
	c.box(k.other, 28, 50, 44, 8, 4)
}

func sofa(c *canvas, k inks) {
	c.line(timber, 4, 24, 74, 22, 84)
	c.line(timber, 4, 76, 74, 78, 84)
	c.box(k.dark, 18, 32, 64, 38, 10)
	c.box(k.main, 22, 36, 27, 26, 6)
	c.box(k.main, 51, 36, 27, 26, 6)
	c.box(k.light, 20, 58, 60, 13, 5)
	c.box(k.main, 10, 48, 15, 28, 7)
	c.box(k.main, 75, 48, 15, 28, 7)
	c.polygon(k.other, 36, 44, 50, 48, 46, 61, 32, 58)
}

func cushion(c *canvas, k inks) {
	c.path().from(20, 24).bend(50, 34, 80, 24).bend(72, 52, 80, 80).bend(50, 71, 20, 80).bend(28, 52, 20, 24).fill(k.main)
	c.path().from(20, 24).bend(32, 28, 42, 29).bend(34, 52, 40, 75).bend(30, 76, 20, 80).bend(28, 52, 20, 24).fill(k.light)
	for i := range 3 {
		y := 40 + 12*float64(i)
		c.line(k.other, 3, 46, y, 70, y)
	}
	for _, p := range [][2]float64{{20, 24}, {80, 24}, {20, 80}, {80, 80}} {
		c.circle(k.dark, p[0], p[1], 3)
	}
}

func plant(c *canvas, k inks) {
	stem := func(x, y, bx, by float64) {
		c.path().from(50, 62).bend(bx, by, x, y).bend(bx+8, by+6, 50, 62).fill(leaf)
		c.line(moss, 1.2, 50, 60, (x+50)/2, (y+62)/2-2)
	}
	stem(22, 34, 24, 62)
	stem(78, 32, 70, 66)
	stem(34, 14, 30, 40)
	stem(68, 14, 62, 44)
	c.path().from(50, 62).bend(42, 34, 50, 10).bend(60, 34, 50, 62).fill(moss)
	c.polygon(k.main, 32, 60, 68, 60, 63, 84, 37, 84)
	c.polygon(k.light, 32, 60, 42, 60, 43, 84, 37, 84)
	c.box(k.dark, 29, 56, 42, 8, 3)
}

func vase(c *canvas, k inks) {
	for i, x := range []float64{38, 50, 63} {
		y := []float64{24, 15, 26}[i]
		c.line(moss, 1.8, 50, 52, x, y)
		for j := range 5 {
			dx, dy := []float64{0, 5, 3, -3, -5}[j], []float64{-5, -1.5, 4, 4, -1.5}[j]
			c.circle(k.other, x+dx, y+dy, 4)
		}
		c.circle(hsl(45, 0.9, 0.62), x, y, 3.2)
	}
	c.path().from(32, 32).bend(40, 38, 46, 52).bend(34, 48, 32, 32).fill(leaf)
	c.path().from(43, 44).to(57, 44).bend(55, 54, 64, 62).bend(70, 78, 58, 84).to(42, 84).bend(30, 78, 36, 62).
		bend(45, 54, 43, 44).fill(k.main)
	c.path().from(43, 44).to(47, 44).bend(48, 55, 42, 64).bend(38, 76, 46, 84).to(42, 84).bend(30, 78, 36, 62).
		bend(45, 54, 43, 44).fill(k.light)
	c.ellipse(k.dark, 50, 44, 7.4, 2.2)
}

func towel(c *canvas, k inks) {
	c.line(timber, 4, 16, 24, 84, 24)
	c.circle(wood, 16, 24, 4)
	c.circle(wood, 84, 24, 4)
	c.box(k.dark, 52, 22, 22, 46, 3)
	c.box(k.main, 28, 20, 30, 62, 4)
	c.box(k.light, 28, 62, 30, 4, 0)
	c.box(k.light, 28, 69, 30, 4, 0)
	c.box(k.other, 52, 54, 22, 4, 0)
	for i := range 8 {
		c.line(k.main, 1.4, 30+3.7*float64(i), 81, 30+3.7*float64(i), 85)
	}
}

func clock(c *canvas, k inks) {
	c.line(k.dark, 4, 34, 78, 29, 85)
	c.line(k.dark, 4, 66, 78, 71, 85)
	c.circle(k.other, 33, 22, 9)
	c.circle(k.other, 67, 22, 9)
	c.circle(k.dark, 50, 52, 33)
	c.circle(k.main, 50, 51, 32)
	c.circle(white, 50, 51, 25)
	for i := range 4 {
		dx, dy := []float64{0, 20, 0, -20}[i], []float64{-20, 0, 20, 0}[i]
		c.circle(k.deep, 50+dx, 51+dy, 1.8)
	}
	c.line(k.deep, 3, 50, 51, 50, 37)
	c.line(k.deep, 3, 50, 51, 60, 57)
	c.circle(k.main, 50, 51, 3)
}
