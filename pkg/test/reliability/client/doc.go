// Package client calls the two services of the shop over HTTP as clients do: shoppers, operators, and the API documents
// that say which answers are promised. It imports nothing of the shop.
package client
