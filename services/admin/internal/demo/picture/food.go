package picture

func food() map[string]func(*canvas, inks) {
	return map[string]func(*canvas, inks){
		"tea": tea, "coffee": coffee, "apple": apple, "orange": orange, "grapes": grapes, "honey": honey, "cake": cake,
		"biscuit": biscuit,
	}
}

func tea(c *canvas, k inks) {
	c.box(k.dark, 26, 32, 48, 52, 5)
	c.box(k.main, 24, 34, 52, 50, 5)
	c.box(k.light, 24, 34, 10, 50, 4)
	c.box(k.dark, 28, 20, 44, 14, 4)
	c.box(k.other, 24, 30, 52, 6, 2)
	c.circle(paper, 52, 60, 15)
	c.path().from(43, 69).bend(42, 50, 62, 51).bend(62, 69, 43, 69).fill(leaf)
	c.line(moss, 1.6, 43, 69, 57, 56)
}

func coffee(c *canvas, k inks) {
	c.path().from(28, 24).to(72, 24).to(75, 84).to(25, 84).fill(k.deep)
	c.polygon(k.dark, 28, 24, 38, 24, 36, 84, 25, 84)
	c.box(k.main, 28, 16, 44, 10, 2)
	c.line(k.light, 1.4, 30, 21, 70, 21)
	c.box(paper, 36, 40, 30, 28, 3)
	c.ellipse(timber, 51, 54, 10, 7)
	c.ring(paper, 1.6, 47, 54, 4, 6, -60, 60)
	c.ellipse(timber, 80, 80, 6, 4)
	c.ellipse(timber, 18, 82, 5, 3.4)
}

func apple(c *canvas, k inks) {
	red := hsl(4+float64(int(k.main.G)%24), 0.68, 0.56)
	c.line(timber, 3, 50, 36, 54, 20)
	c.path().from(53, 28).bend(60, 14, 76, 20).bend(70, 34, 53, 28).fill(leaf)
	c.path().from(50, 38).bend(38, 28, 27, 38).bend(16, 54, 30, 76).bend(40, 88, 50, 82).bend(60, 88, 70, 76).
		bend(84, 54, 73, 38).bend(62, 28, 50, 38).fill(red)
	c.path().from(30, 43).bend(22, 54, 31, 69).bend(28, 54, 36, 42).fill(hsl(14, 0.8, 0.76))
	c.ellipse(hsl(2, 0.6, 0.42), 50, 38, 6, 2)
}

func orange(c *canvas, k inks) {
	peel, pulp := hsl(28+float64(int(k.main.B)%14), 0.9, 0.56), hsl(36, 0.95, 0.70)
	c.circle(peel, 40, 52, 25)
	c.ellipse(hsl(34, 0.95, 0.72), 31, 43, 5, 7)
	c.path().from(40, 28).bend(44, 14, 60, 16).bend(56, 30, 40, 28).fill(leaf)
	c.circle(moss, 40, 29, 2.4)
	c.circle(peel, 66, 64, 20)
	c.circle(paper, 66, 64, 17.4)
	for i := range 8 {
		from := float64(i)*45 + 4
		c.slice(pulp, 66, 64, 15.6, from, from+37)
	}
}

func grapes(c *canvas, k inks) {
	hue := 268 + float64(int(k.main.R)%40)
	skin, shine := hsl(hue, 0.46, 0.52), hsl(hue, 0.56, 0.74)
	c.line(timber, 3, 50, 12, 50, 28)
	c.path().from(51, 24).bend(58, 8, 80, 18).bend(72, 34, 51, 24).fill(leaf)
	for row, n := range []int{4, 5, 4, 3, 2, 1} {
		for i := range n {
			x, y := 50+(float64(i)-float64(n-1)/2)*12.4, 33+9.6*float64(row)
			c.circle(skin, x, y, 6.8)
			c.circle(shine, x-2, y-2.4, 1.9)
		}
	}
}

func honey(c *canvas, k inks) {
	amber := hsl(38, 0.92, 0.56)
	c.box(k.dark, 31, 16, 38, 12, 3)
	c.box(k.main, 28, 26, 44, 5, 2)
	c.path().from(32, 31).to(68, 31).bend(78, 40, 77, 52).to(74, 78).bend(73, 84, 66, 84).to(34, 84).bend(27, 84, 26, 78).
		to(23, 52).bend(22, 40, 32, 31).fill(amber)
	c.path().from(30, 38).bend(26, 46, 28, 56).to(30, 74).bend(34, 60, 32, 44).fill(hsl(44, 0.95, 0.74))
	c.box(paper, 36, 48, 34, 24, 4)
	for i, x := range []float64{47, 59, 53} {
		y := []float64{56, 56, 66}[i]
		c.polygon(hsl(40, 0.9, 0.66), x-5, y-3, x, y-6, x+5, y-3, x+5, y+3, x, y+6, x-5, y+3)
	}
}

func cake(c *canvas, k inks) {
	c.ellipse(white, 50, 81, 36, 5)
	c.box(hsl(32, 0.6, 0.72), 22, 46, 56, 34, 4)
	c.box(k.main, 22, 60, 56, 6, 0)
	c.path().from(22, 50).bend(22, 38, 34, 38).to(66, 38).bend(78, 38, 78, 50).bend(73, 60, 68, 50).bend(62, 60, 56, 50).
		bend(50, 62, 44, 50).bend(38, 60, 32, 50).bend(26, 58, 22, 50).fill(k.light)
	for _, x := range []float64{34, 50, 66} {
		c.circle(hsl(356, 0.7, 0.56), x, 34, 5.4)
		c.path().from(x, 30).bend(x+2, 24, x+8, 25).bend(x+6, 31, x, 30).fill(leaf)
	}
}

func biscuit(c *canvas, _ inks) {
	crust, crumb := hsl(32, 0.58, 0.56), hsl(34, 0.66, 0.68)
	for _, at := range [][3]float64{{36, 62, 23}, {64, 40, 24}} {
		c.circle(crust, at[0], at[1]+1.6, at[2])
		c.circle(crumb, at[0], at[1], at[2]-1)
		for j := range 6 {
			dx := []float64{-9, 4, 11, -2, -12, 8}[j]
			dy := []float64{-9, -13, -2, 1, 6, 11}[j]
			c.circle(hsl(20, 0.45, 0.30), at[0]+dx, at[1]+dy, 2.8)
		}
	}
}
