package op_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// written are the ways in which texts of people are cleaned.
type written struct {
	Content  string   `json:"content" check:"required,maxLength=3"`
	Title    *string  `json:"title" check:"notBlank,visible"`
	Tags     []string `json:"tags"`
	Mobile   string   `json:"mobile" check:"form=mobile"`
	Number   string   `json:"number" check:"clean=number"`
	Code     string   `json:"code" check:"clean=code"`
	Password string   `json:"password" check:"clean=none"`
	Page     string   `json:"page" check:"link"`
	Keyword  string   `json:"keyword"`
}

func TestTextsAreCleaned(t *testing.T) {
	var r written
	s := mount(t, nil, echo(&r)...)
	send := func(more string) int { return s.post(t, "/echo/body", `{"content":"\u3000a\nb\u200b "`+more+`}`).Errno }
	require.Equal(t, 0, send(`,"title":" caf\u0065\u0301 ","tags":[" x","\u200by"],"mobile":"+86 138-1234-5678",
		"number":"\uff11\uff13\uff18 1234 5678","code":"123 456","password":" e\u0301\u200b","page":"/a","keyword":"\u200b"`))
	title := "café"
	require.Equal(t, written{
		Content: "a\nb", Title: &title, Tags: []string{"x", "y"}, Mobile: "13812345678", Number: "13812345678",
		Code: "123456", Password: " e\u0301\u200b", Page: "/a",
	}, r)
	for more, want := range map[string]int{
		`,"content":"\u200b"`:      401,
		`,"content":" \u2800\n"`:   401,
		`,"content":"abcd\u200b"`:  402,
		`,"title":" \u3000"`:       401,
		`,"title":"\ufeff "`:       402,
		`,"title":"a\u200bb"`:      402,
		`,"title":"a\nb"`:          402,
		`,"mobile":"138 1234 567"`: 402,
		`,"page":"/a "`:            402,
		`,"page":"\u200b/a"`:       402,
	} {
		require.Equal(t, want, send(more), more)
	}
	require.Equal(t, 401, s.get(t, "/echo?content=%E2%80%8B").Errno)
	require.Equal(t, 0, s.get(t, "/echo?content=a&keyword=+%E7%BB%BF%E8%8C%B6%E2%80%8B").Errno)
	require.Equal(t, "绿茶", r.Keyword)
}
