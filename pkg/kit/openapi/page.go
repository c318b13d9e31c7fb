package openapi

import (
	"bytes"
	"fmt"
	"io"

	"shop.internal/pkg/base/errno"
	wording "shop.internal/pkg/base/text"
)

// WriteErrors writes the page on all error codes.
func WriteErrors(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("# Error numbers\n\n")
	b.WriteString("Every answer has one of these numbers as `errno`, with its text as `errmsg` in the language of the ")
	b.WriteString("deployment. 602\nhas two names with different texts.\n\n")
	b.WriteString("| errno | name | English | Chinese |\n|---|---|---|---|\n")
	for _, c := range errno.All() {
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s |\n", c.Num, c.Name, c.Text(wording.English), c.Text(wording.Chinese))
	}
	return flush(w, &b)
}

func flush(w io.Writer, b *bytes.Buffer) error {
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
