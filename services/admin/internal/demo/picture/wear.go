package picture

func wear() map[string]func(*canvas, inks) {
	return map[string]func(*canvas, inks){
		"shirt": shirt, "jacket": jacket, "hat": hat, "shoe": shoe, "scarf": scarf, "bag": bag, "backpack": backpack,
		"suitcase": suitcase,
	}
}

func torso(c *canvas, k inks) {
	c.path().from(36, 20).to(64, 20).bend(72, 22, 77, 27).to(89, 47).to(76, 56).to(70, 47).to(71, 82).
		to(29, 82).to(30, 47).
		to(24, 56).to(11, 47).to(23, 27).bend(28, 22, 36, 20).fill(k.main)
	c.polygon(k.dark, 70, 47, 76, 56, 71, 60)
	c.polygon(k.dark, 30, 47, 24, 56, 29, 60)
}

func shirt(c *canvas, k inks) {
	torso(c, k)
	c.arc(k.ground, 50, 19, 11, 10, 0, 180)
	c.ring(k.dark, 2.4, 50, 19, 12, 11, 5, 175)
	for i := range 3 {
		c.box(k.other, 30, 48+9*float64(i), 40, 4, 0)
	}
}

func jacket(c *canvas, k inks) {
	torso(c, k)
	c.polygon(k.light, 40, 18, 60, 18, 50, 36)
	c.polygon(k.dark, 36, 18, 42, 18, 50, 34, 44, 40)
	c.polygon(k.dark, 64, 18, 58, 18, 50, 34, 56, 40)
	c.line(k.dark, 1.8, 50, 38, 50, 81)
	for i := range 3 {
		c.circle(k.light, 54, 48+11*float64(i), 1.9)
	}
	c.box(k.dark, 34, 62, 11, 9, 2)
	c.box(k.dark, 58, 62, 11, 9, 2)
}

func hat(c *canvas, k inks) {
	c.ellipse(k.dark, 50, 70, 40, 12)
	c.ellipse(k.main, 50, 67, 40, 12)
	c.path().from(28, 66).bend(28, 30, 40, 28).bend(50, 34, 60, 28).bend(72, 30, 72, 66).bend(50, 74, 28, 66).fill(k.light)
	c.path().from(27.6, 58).bend(50, 67, 72.4, 58).to(72.4, 66).bend(50, 75, 27.6, 66).fill(k.other)
	c.ellipse(k.main, 50, 32, 6, 2.4)
}

func shoe(c *canvas, k inks) {
	c.path().from(12, 44).to(32, 42).bend(38, 52, 50, 55).to(74, 60).bend(88, 63, 88, 74).to(12, 74).fill(k.main)
	c.path().from(12, 44).to(22, 43).bend(24, 60, 14, 74).to(12, 74).fill(k.dark)
	c.path().from(70, 59.2).bend(88, 63, 88, 74).to(68, 74).bend(66, 64, 70, 59.2).fill(k.light)
	c.box(white, 10, 73, 80, 10, 5)
	c.line(k.other, 2, 14, 80, 86, 80)
	for i := range 3 {
		x := 38 + 8*float64(i)
		c.line(white, 2.4, x, 52+2.4*float64(i), x-6, 60+2*float64(i))
	}
}

func scarf(c *canvas, k inks) {
	c.path().from(54, 40).to(72, 38).to(78, 76).to(60, 78).fill(k.dark)
	c.path().from(34, 40).to(56, 40).to(52, 84).to(32, 84).fill(k.main)
	for i := range 3 {
		y := 54 + 9*float64(i)
		c.box(k.light, 33, y, 20, 4, 0)
	}
	for i := range 6 {
		c.line(k.main, 1.6, 33.4+3.6*float64(i), 83, 33.2+3.6*float64(i), 89)
		c.line(k.dark, 1.6, 61+3.2*float64(i), 77, 61.6+3.2*float64(i), 82)
	}
	c.ellipse(k.main, 50, 32, 30, 14)
	c.ellipse(k.dark, 50, 27, 21, 8)
	c.ellipse(k.ground, 50, 24, 19, 6)
	c.line(k.light, 3, 28, 38, 36, 44)
	c.line(k.light, 3, 62, 44, 71, 38)
}

func bag(c *canvas, k inks) {
	c.ring(k.dark, 4, 50, 42, 17, 24, 180, 360)
	c.path().from(22, 42).to(78, 42).to(84, 80).bend(84, 85, 78, 85).to(22, 85).bend(16, 85, 16, 80).fill(k.main)
	c.path().from(22, 42).to(34, 42).to(31, 85).to(22, 85).bend(16, 85, 16, 80).fill(k.light)
	c.box(k.dark, 20, 42, 60, 5, 0)
	c.circle(k.other, 54, 65, 10)
	c.path().from(48, 70).bend(48, 58, 60, 59).bend(60, 70, 48, 70).fill(white)
}

func backpack(c *canvas, k inks) {
	c.ring(k.deep, 4, 50, 22, 9, 9, 180, 360)
	c.box(k.dark, 20, 48, 10, 28, 5)
	c.box(k.dark, 70, 48, 10, 28, 5)
	c.path().from(28, 40).bend(28, 18, 50, 18).bend(72, 18, 72, 40).to(74, 78).bend(74, 85, 67, 85).to(33, 85).
		bend(26, 85, 26, 78).fill(k.main)
	c.box(k.light, 34, 54, 32, 25, 5)
	c.box(k.dark, 34, 54, 32, 7, 3)
	c.line(k.dark, 2, 34, 38, 66, 38)
	c.box(k.other, 46, 58, 8, 7, 2)
}

func suitcase(c *canvas, k inks) {
	c.line(steel, 3, 40, 12, 40, 30)
	c.line(steel, 3, 60, 12, 60, 30)
	c.line(k.deep, 4, 40, 11, 60, 11)
	c.circle(k.deep, 33, 83, 4)
	c.circle(k.deep, 67, 83, 4)
	c.box(k.dark, 25, 27, 50, 54, 7)
	c.box(k.main, 25, 26, 47, 54, 7)
	for i := range 3 {
		c.box(k.light, 33+12*float64(i), 32, 4, 42, 2)
	}
	c.box(k.other, 24, 48, 49, 7, 0)
	c.box(white, 45, 46, 9, 11, 2)
}
