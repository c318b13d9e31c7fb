package main

import "testing"

func TestSleeps(t *testing.T) {
	for name, tt := range map[string]struct {
		body  string
		wrong int
	}{
		"alone":                     {"time.Sleep(time.Second)", 1},
		"in a function":             {"go func() { time.Sleep(time.Second) }()", 1},
		"in a loop without an end":  {"for !is() { time.Sleep(time.Second) }", 1},
		"its loop has a deadline":   {"for end := time.Now().Add(9); time.Now().Before(end); time.Sleep(1) { look() }", 0},
		"its loop has a context":    {"for ctx.Err() == nil { time.Sleep(1) }", 0},
		"its loop is counted":       {"for range 10 { time.Sleep(1) }", 0},
		"its loop counts itself":    {"for i := 0; i < 10; i++ { time.Sleep(1) }", 0},
		"after a loop":              {"for range 10 { look() }; time.Sleep(1)", 1},
		"a clock of its own":        {"synctest.Test(t, func(t *testing.T) { time.Sleep(time.Hour) })", 0},
		"the length of a fault":     {"time.Sleep(1) // lasts: the database hangs", 0},
		"another comment":           {"time.Sleep(1) // it has begun", 1},
		"two, of which one is long": {"time.Sleep(1) // lasts: a fault\n\ttime.Sleep(1)", 1},
		"a measured time":           {"require.Less(t, time.Since(began), time.Second)", 1},
		"inside an expression":      {"assert.True(t, 3*time.Since(began) < time.Second)", 1},
		"measured by its own clock": {"synctest.Test(t, func(t *testing.T) { require.Zero(t, time.Since(began)) })", 0},
		"measured and printed":      {"t.Log(time.Since(began))", 0},
		"at least what it lasts":    {"require.Less(t, 1, time.Since(began)) // lasts: no timer ends early", 0},
		"a short wait":              {"require.Eventually(t, is, 10*time.Second, time.Millisecond)", 1},
		"a second":                  {"require.EventuallyWithT(t, is, time.Second, time.Millisecond)", 1},
		"a long wait":               {"require.Eventually(t, is, 20*time.Second, time.Millisecond)", 0},
		"a named wait":              {"require.Eventually(t, is, generous, time.Millisecond)", 0},
		"minutes":                   {"require.Eventually(t, is, 2*time.Minute, time.Second)", 0},
	} {
		t.Run(name, func(t *testing.T) {
			wrong, err := sleeps("a_test.go", []byte("package a\n\nfunc TestA(t *testing.T) {\n\t"+tt.body+"\n}\n"))
			if err != nil || len(wrong) != tt.wrong {
				t.Errorf("%v, %v", wrong, err)
			}
		})
	}
}
