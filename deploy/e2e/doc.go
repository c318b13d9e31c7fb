// Package e2e holds the end-to-end scenarios of the shop: shoppers and operators call both services over HTTP, as any
// client does, and every answer is validated against the OpenAPI documents that the services serve. It imports nothing
// of the shop, so it runs against any deployment that has the demo accounts, the sandbox for payments and its API
// documents enabled:
//
//	STOREFRONT_URL=http://... ADMIN_URL=http://... SHOP_MESSAGES=... GOWORK=off go -C deploy/e2e test -count=1
//
// SHOP_MESSAGES is the file of the log sender, which the verification codes are read from. SHOP_OPERATOR and
// SHOP_PASSWORD name another operator with all permissions, and another password of all accounts.
//
// Each test is an independent scenario: it signs in its own shoppers and operator and creates its own goods. Everything
// that a scenario creates is deleted at its end, except its orders. The run also fails if an operation of the documents
// was never called, or never with success.
package e2e
