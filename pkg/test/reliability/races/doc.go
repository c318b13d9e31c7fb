// Package races lets every POST operation of both services race with every other and with itself. The operations are
// those of the documents that the services serve; an operation without an entry in the table is called by its schema.
//
//	SHOP_FORM=long        all pairs; otherwise what touches money with 2 requests at once, and a sample
//	SHOP_SEED=7            the order of everything that is drawn, as a failed run prints it
//	SHOP_PAIR="/wx/order/cancel /admin/order/refund"    one pair, with all its requests and answers
package races
