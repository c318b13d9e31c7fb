package main

import (
	"slices"
	"testing"
)

func TestParseMoney(t *testing.T) {
	good := map[string]cents{"0.00": 0, "0.05": 5, "36.00": 36_00, "12345.67": 12345_67}
	for literal, want := range good {
		got, err := parseMoney(literal)
		if err != nil || got != want {
			t.Errorf("parseMoney(%q) = %d, %v; want %d", literal, got, err, want)
		}
		if got.String() != literal {
			t.Errorf("cents(%d).String() = %q, want %q", got, got.String(), literal)
		}
	}
	bad := []string{"", "36", "36.0", "36.000", "-1.00", "1e2", "036.00", ".50", "1.0a", "99999999999999999999.00"}
	for _, literal := range bad {
		if got, err := parseMoney(literal); err == nil {
			t.Errorf("parseMoney(%q) = %d, want an error", literal, got)
		}
	}
	if got := cents(-1_05).String(); got != "-1.05" {
		t.Errorf("a negative amount is written %q", got)
	}
}

func TestReckon(t *testing.T) {
	tests := map[string]struct {
		pieces []piece
		coupon cents
		want   bill
	}{
		"nothing":                     {nil, 0, bill{}},
		"below free freight":          {[]piece{{87_99, 1}}, 0, bill{87_99, 8_00, 0, 95_99}},
		"exactly free freight":        {[]piece{{44_00, 2}}, 0, bill{88_00, 0, 0, 88_00}},
		"freight is before coupon":    {[]piece{{90_00, 1}}, 10_00, bill{90_00, 0, 10_00, 80_00}},
		"coupon covers freight":       {[]piece{{5_00, 1}}, 10_00, bill{5_00, 8_00, 10_00, 3_00}},
		"coupon above everything":     {[]piece{{5_00, 1}}, 50_00, bill{5_00, 8_00, 13_00, 0}},
		"two lines, several of each":  {[]piece{{10_01, 3}, {99, 2}}, 1_00, bill{32_01, 8_00, 1_00, 39_01}},
		"given away, freight remains": {[]piece{{0, 1}}, 0, bill{0, 8_00, 0, 8_00}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := reckon(tt.pieces, tt.coupon); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPiecesFor(t *testing.T) {
	tests := []struct {
		amount, price cents
		want          int64
	}{{0, 10_00, 1}, {10_00, 10_00, 1}, {10_01, 10_00, 2}, {99_00, 33_00, 3}, {5_00, 0, 1}}
	for _, tt := range tests {
		if got := piecesFor(tt.amount, tt.price); got != tt.want {
			t.Errorf("piecesFor(%v, %v) = %d, want %d", tt.amount, tt.price, got, tt.want)
		}
	}
}

func TestLower(t *testing.T) {
	got := lower([]piece{{36_00, 1}, {5_00, 2}}, 6_00)
	if want := []piece{{30_00, 1}, {0, 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
