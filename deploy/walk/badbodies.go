package main

// badBody is a body in which one thing is wrong, and the errno that says so.
type badBody struct {
	path, body string
	errno      int64
}

// badBodies lists them for the operations of a shopper.
func badBodies() []badBody {
	const address = `"province":"A","city":"B","county":"C","areaCode":"110101","addressDetail":"D","isDefault":false`
	return []badBody{
		{"/wx/auth/profile", `{"gender":"abc"}`, 402},
		{"/wx/auth/profile", `{"avatar":"javascript:alert(1)"}`, 402},
		{"/wx/cart/add", `{}`, 401},
		{"/wx/cart/add", ``, 401},
		{"/wx/cart/add", `{"goodsId":null,"productId":1,"number":1}`, 401},
		{"/wx/cart/add", `{"goodsId":"abc","productId":1,"number":1}`, 402},
		{"/wx/cart/add", `{"goodsId":1.5,"productId":1,"number":1}`, 402},
		{"/wx/cart/add", `{"goodsId":{"id":1},"productId":1,"number":1}`, 402},
		{"/wx/cart/add", `{"goodsId":1,"productId":1,"number":99999999999999999999}`, 402},
		{"/wx/cart/fastadd", `{"goodsId":1,"productId":1}`, 401},
		{"/wx/cart/fastadd", `{"goodsId":1,"productId":"x","number":1}`, 402},
		{"/wx/cart/update", `{"id":1}`, 401},
		{"/wx/cart/update", `{"id":"x","goodsId":1,"productId":1,"number":1}`, 402},
		{"/wx/cart/checked", `{"isChecked":1}`, 401},
		{"/wx/cart/checked", `{"productIds":[1]}`, 401},
		{"/wx/cart/checked", `{"productIds":1,"isChecked":1}`, 402},
		{"/wx/cart/checked", `{"productIds":["x"],"isChecked":1}`, 402},
		{"/wx/cart/delete", `{}`, 401},
		{"/wx/cart/delete", `{"productIds":{}}`, 402},
		{"/wx/order/submit", `{}`, 401},
		{"/wx/order/submit", `{"cartId":"x","addressId":1,"couponId":0}`, 402},
		{"/wx/order/submit", `{"cartId":0,"addressId":"x","couponId":0}`, 402},
		{"/wx/order/submit", `{"cartId":0,"addressId":1,"couponId":"x"}`, 402},
		{"/wx/order/submit", `{"cartId":0,"addressId":1,"couponId":0,"message":["x"]}`, 402},
		{"/wx/order/cancel", `{}`, 401},
		{"/wx/order/cancel", `{"orderId":""}`, 401},
		{"/wx/order/cancel", `{"orderId":"x"}`, 402},
		{"/wx/order/cancel", `{"orderId":1999999999}`, 720},
		{"/wx/order/prepay", `{}`, 401},
		{"/wx/order/prepay", `{"orderId":true}`, 402},
		{"/wx/order/prepay", `{"orderId":1999999999}`, 720},
		{"/wx/order/confirm", `{}`, 401},
		{"/wx/order/confirm", `{"orderId":"x"}`, 402},
		{"/wx/order/confirm", `{"orderId":"1999999999"}`, 720},
		{"/wx/order/delete", `{}`, 401},
		{"/wx/order/delete", `{"orderId":"x"}`, 402},
		{"/wx/order/delete", `{"orderId":1999999999}`, 720},
		{"/wx/order/refund", `{}`, 401},
		{"/wx/order/refund", `{"orderId":"x"}`, 402},
		{"/wx/order/refund", `{"orderId":1999999999.0}`, 720},
		{"/wx/order/comment", `{"content":"x","star":1}`, 401},
		{"/wx/order/comment", `{"orderGoodsId":"x","content":"x","star":1}`, 402},
		{"/wx/order/comment", `{"orderGoodsId":1,"content":"x","star":0}`, 402},
		{"/wx/order/comment", `{"orderGoodsId":1999999999,"content":"x","star":5}`, 402},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000"}`, 401},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000","name":" "}`, 401},
		{"/wx/address/save", `{` + address + `,"tel":"12","name":"x"}`, 402},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000","name":"x","id":"x"}`, 402},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000","name":"x","id":1999999999}`, 402},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000","name":"x","isDefault":"maybe"}`, 402},
		{"/wx/address/save", `{` + address + `,"tel":"13800000000","name":"x","postalCode":"1234567"}`, 402},
		{"/wx/address/delete", `{}`, 401},
		{"/wx/address/delete", `{"id":"x"}`, 402},
		{"/wx/coupon/receive", `{"couponId":"x"}`, 402},
	}
}

// badStaffBodies lists them for the operations of staff.
func badStaffBodies() []badBody {
	return []badBody{
		{"/admin/auth/login", `{"username":{},"password":"x"}`, 402},
		{"/admin/order/ship", `{}`, 401},
		{"/admin/order/ship", `{"orderId":"x","shipChannel":"ZTO","shipSn":"1"}`, 402},
		{"/admin/order/ship", `{"orderId":1999999999,"shipChannel":"ZTO","shipSn":""}`, 401},
		{"/admin/order/ship", `{"orderId":1999999999,"shipChannel":"ZTO","shipSn":"1"}`, 402},
		{"/admin/order/refund", `{}`, 401},
		{"/admin/order/refund", `{"orderId":1999999999}`, 401},
		{"/admin/order/refund", `{"orderId":1999999999,"refundMoney":"x"}`, 402},
		{"/admin/order/refund", `{"orderId":1999999999,"refundMoney":1.001}`, 402},
		{"/admin/order/reject", `{}`, 401},
		{"/admin/order/reject", `{"orderId":[1]}`, 402},
		{"/admin/order/reject", `{"orderId":1999999999}`, 402},
	}
}
