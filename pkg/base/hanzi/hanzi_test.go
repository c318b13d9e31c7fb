package hanzi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/hanzi"
)

func TestScripts(t *testing.T) {
	require.Equal(t, "马克杯 mug", hanzi.Simplified("馬克杯 mug"))
	require.Equal(t, "馬克杯 mug", hanzi.Traditional("马克杯 mug"))
	require.Equal(t, "杯", hanzi.Simplified("杯"))
}

func TestPinyin(t *testing.T) {
	for text, want := range map[string][2]string{
		"杯子": {"beizi", "bz"}, "马克杯": {"makebei", "mkb"}, "女": {"nv", "n"}, "杯a": {}, "": {},
	} {
		whole, initials := hanzi.Pinyin(text)
		require.Equal(t, want, [2]string{whole, initials}, text)
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"Mug": "mug", "Café": "cafe", "馬克杯": "马克杯", "CAFÉ 馬": "cafe 马", "ガ": "ガ",
	} {
		require.Equal(t, want, hanzi.Plain(text))
	}
}
