// Package e2e holds the end-to-end scenarios of the shop: shoppers and operators call both services over HTTP, as any
// client does, and every answer is validated against the OpenAPI documents that the services serve. It imports nothing
// of the shop, so it runs against any deployment that has the demo accounts, the sandbox for payments and its API
// documents enabled:
//
//	STOREFRONT_URL=http://... ADMIN_URL=http://... GOWORK=off go -C deploy/e2e test -count=1
//
// SHOP_OPERATOR and SHOP_PASSWORD name another operator who may do everything, and another password of all accounts.
// SHOP_MESSAGES is the file of the log sender; without it the scenarios that need a verification code are left out.
//
// Each test is one story and stands alone: it signs in shoppers and an operator of its own and puts goods of its own on
// sale. All that a story makes is deleted after it, except its orders. The run fails also where an operation that the
// documents declare was never called, or never with success.
package e2e
