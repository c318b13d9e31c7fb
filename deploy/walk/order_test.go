package main

import "testing"

func TestStateOffers(t *testing.T) {
	tests := map[string]struct {
		st   state
		want map[string]bool
	}{
		"unpaid":    {unpaid(), map[string]bool{"cancel": true, "pay": true, "delete": false, "refund": false}},
		"asked":     {asked(), map[string]bool{"cancel": false, "refund": false, "confirm": false}},
		"received":  {received(), map[string]bool{"comment": true, "rebuy": true, "aftersale": true, "confirm": false}},
		"commented": {commented(), map[string]bool{"comment": false, "rebuy": true, "delete": true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for operation, want := range tt.want {
				if got := tt.st.offered(operation); got != want {
					t.Errorf("%s: got %v, want %v", operation, got, want)
				}
			}
		})
	}
	if got := paid().text("success"); got != "Paid" {
		t.Errorf("English text: %q", got)
	}
	if got := paid().text("成功"); got != "已付款" {
		t.Errorf("Chinese text: %q", got)
	}
}
