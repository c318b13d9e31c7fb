//go:build quickhash

package hashing

import "golang.org/x/crypto/bcrypt"

// DefaultCost protects no password. A proof that logs in many thousand times is built with it; nothing that serves
// people is.
const DefaultCost = bcrypt.MinCost
