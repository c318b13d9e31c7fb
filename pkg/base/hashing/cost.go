//go:build !quickhash

package hashing

import "golang.org/x/crypto/bcrypt"

// DefaultCost is the bcrypt cost of new hashes unless another one is asked for.
const DefaultCost = bcrypt.DefaultCost
