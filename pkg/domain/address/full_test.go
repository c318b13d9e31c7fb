package address_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/platform/text"
)

func ExampleAddress_Full() {
	fmt.Println(address.Address{Province: "浙江省", City: "杭州市", County: "西湖区", Detail: "文三路 1 号"}.Full(text.Chinese))
	// Output: 浙江省杭州市西湖区 文三路 1 号
}

// In English the parts are apart, and a city that is its own province is named once. In Chinese the line is the one that
// other programs read.
func TestFullInTheLanguageOfTheShop(t *testing.T) {
	t.Parallel()
	capital := address.Address{Province: "北京市", City: "北京市", County: "东城区", Detail: "1 Long Street"}
	require.Equal(t, "北京市, 东城区, 1 Long Street", capital.Full(text.English))
	require.Equal(t, "北京市北京市东城区 1 Long Street", capital.Full(text.Chinese))
	require.Equal(t, "浙江省, 杭州市, 西湖区, 文三路 1 号", of(lin).Full(text.English))
}
