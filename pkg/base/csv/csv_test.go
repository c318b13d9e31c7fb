package csv_test

import (
	"bytes"
	stdcsv "encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/csv"
)

func written(t require.TestingT, rows ...[]string) []byte {
	var out bytes.Buffer
	w, err := csv.NewWriter(&out, rows[0]...)
	require.NoError(t, err)
	for _, r := range rows[1:] {
		require.NoError(t, w.Row(r...))
	}
	require.NoError(t, w.Flush())
	return out.Bytes()
}

func TestWriter(t *testing.T) {
	got := written(t, []string{"name", "note"}, []string{"a,b", "say \"x\""}, []string{"=1+1", "-5"}, []string{"", "'"})
	require.Equal(t, "\ufeffname,note\n\"a,b\",\"say \"\"x\"\"\"\n'=1+1,'-5\n,''\n", string(got))
}

func TestDefuse(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "tea": "tea", "1-2": "1-2", " =1": " =1", "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+1": "'+1", "-1": "'-1",
		"@SUM(1)": "'@SUM(1)", "\tx": "'\tx", "\rx": "'\rx", "\n=x": "'\n=x", "'x": "''x", "茶": "茶",
		"123456789012": "'123456789012", "13812345678": "13812345678", "007": "'007", "0": "0", "0.50": "0.50", "12.00": "12.00",
		"123456789012.00": "123456789012.00", "6.9E+12": "'6.9E+12", "12e3": "'12e3", "E3": "E3", "0x1": "0x1", "'007": "''007",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠SUM(1)": "'＠SUM(1)", "a＝": "a＝",
	} {
		require.Equal(t, want, csv.Defuse(cell), cell)
		require.Equal(t, cell, csv.Plain(csv.Defuse(cell)))
	}
	require.Equal(t, "'tis", csv.Plain("'tis"), "written by hand")
}

// Reading returns what was written, and no cell begins like a formula.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOfN(rapid.RuneFrom([]rune("=+-@＝＋－＠\t\n'\",;a茶 0E1")), 0, 6, -1)
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, 2, 2), 1, 5).Draw(t, "rows")
		file := written(t, append([][]string{{"a", "b"}}, rows...)...)
		raw, err := stdcsv.NewReader(bytes.NewReader(file[3:])).ReadAll()
		require.NoError(t, err)
		for _, r := range raw {
			for _, c := range r {
				require.False(t, c != "" && strings.ContainsRune("=+-@＝＋－＠\t\r\n", []rune(c)[0]), "%q", c)
			}
		}
		read, err := csv.Read(file, 100)
		require.NoError(t, err)
		got := [][]string{}
		for _, r := range read[1:] {
			got = append(got, r.Cells)
		}
		want := [][]string{}
		for _, r := range rows {
			if strings.TrimSpace(csv.Defuse(r[0])+csv.Defuse(r[1])) != "" {
				want = append(want, r)
			}
		}
		require.Equal(t, want, got)
	})
}

func TestRead(t *testing.T) {
	rows, err := csv.Read([]byte("\ufeffa,b\r\n\r\n\"x\ny\",1\n,\nz"), 10)
	require.NoError(t, err)
	require.Equal(t, []csv.Row{{1, []string{"a", "b"}}, {3, []string{"x\ny", "1"}}, {5, []string{"z"}}}, rows)
	_, err = csv.Read([]byte("a\nb\nc\n"), 2)
	require.ErrorIs(t, err, csv.ErrLength)
	for _, text := range []string{"\xff\xfea\x00", "PK\x03\x04\x00", "\ufeff\xe4\xb8", "茶,碗\xe4\n", "\xff"} {
		_, err = csv.Read([]byte(text), 2)
		require.ErrorIs(t, err, csv.ErrText)
	}
	_, err = csv.Read([]byte("\"a\r\nb\nc\"\n\"b\n\n"), 2)
	var parse *stdcsv.ParseError
	require.ErrorAs(t, err, &parse)
	require.Equal(t, 2, parse.Line)
	rows, err = csv.Read([]byte("a,\xb2\xe8\n\x81\x39\xef\x30,1\n"), 2)
	require.NoError(t, err)
	require.Equal(t, []csv.Row{{1, []string{"a", "茶"}}, {2, []string{"㐁", "1"}}}, rows, "GB18030")
	rows, err = csv.Read(nil, 2)
	require.NoError(t, err)
	require.Empty(t, rows)
}

// A spreadsheet keeps 15 digits of a number, and shows fewer.
func TestRounded(t *testing.T) {
	for cell, want := range map[string]bool{
		"6.90123E+12": true, "6E+12": true, "6.90123e+12": false, "16.9E+12": false, "6.9E12": false, "SN6.9E+12": false, "": false,
	} {
		require.Equal(t, want, csv.Rounded(cell), cell)
	}
}
