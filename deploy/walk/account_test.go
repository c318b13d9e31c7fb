package main

import "testing"

func TestFindCode(t *testing.T) {
	const mobile = "13912345678"
	tests := map[string]struct{ text, want string }{
		"none":           {"", ""},
		"another mobile": {"2026-01-02T03:04:05Z sms 13900000000 code 111111 valid\n", ""},
		"the last one": {
			"t sms 13912345678 code 111111 x\nt sms 13900000000 code 222222 x\nt sms 13912345678 code 333333 x\n", "333333",
		},
		"before the mobile": {"code 444444 to 13912345678", "444444"},
		"not part of more":  {"t sms 13912345678 code 1234567 666666\n", "666666"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := findCode(tt.text, mobile); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOtherCode(t *testing.T) {
	if got := otherCode("999999"); got != "000000" {
		t.Errorf("got %q", got)
	}
	if got := otherCode("000041"); got != "000042" {
		t.Errorf("got %q", got)
	}
}
