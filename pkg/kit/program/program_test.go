package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStart(t *testing.T) {
	broken := errors.New("mysql.dsn: is missing")
	tests := map[string]struct {
		args []string
		load error
		run  error
		want error
		out  string
		ran  bool
	}{
		"serves":                   {nil, nil, nil, nil, "", true},
		"serves until it is told":  {nil, nil, context.Canceled, nil, "", true},
		"fails while serving":      {nil, nil, broken, broken, "", true},
		"a bad configuration":      {nil, broken, nil, broken, "", false},
		"checks a configuration":   {[]string{"--check-config"}, nil, nil, nil, "the configuration is good\n", false},
		"checks a bad one":         {[]string{"--check-config"}, broken, nil, broken, "", false},
		"describes without one":    {[]string{"--openapi"}, broken, nil, nil, "{}", false},
		"a flag that nobody knows": {[]string{"--nonsense"}, nil, nil, errFlags, "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ran := false
			p := Program[int]{
				Name: "test", Config: "file.yaml", Prefix: "TEST",
				Load: func(file string) (int, error) { require.Equal(t, "file.yaml", file); return 7, tt.load },
				Describe: func(w io.Writer) error {
					_, err := io.WriteString(w, "{}")
					return err
				},
				Run: func(_ context.Context, c int) error { require.Equal(t, 7, c); ran = true; return tt.run },
			}
			var out bytes.Buffer
			require.ErrorIs(t, p.start(t.Context(), tt.args, &out), tt.want)
			require.Equal(t, tt.out, out.String())
			require.Equal(t, tt.ran, ran)
		})
	}
}
