package db

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

const (
	duplicateEntry = 1062
	lockWait       = 1205
	deadlock       = 1213
	recordChanged  = 1020
	certification  = 3101 // Group Replication refused the commit
)

func retryable(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && slices.Contains([]uint16{deadlock, lockWait, recordChanged, certification}, e.Number)
}

// waited reports whether err says that a lock could not be had in time.
func waited(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == lockWait
}

// Duplicate reports whether err says that a row with the same value of the unique key exists already; key is its
// name, as in "uk_user_name", or "" for any.
func Duplicate(err error, key string) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok || e.Number != duplicateEntry {
		return false
	}
	// The name of the key is the one thing that MySQL tells only in its text: "... for key 'table.key'" or "'key'".
	return key == "" || strings.Contains(e.Message, key+"'")
}
