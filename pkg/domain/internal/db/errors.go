package db

import (
	"database/sql/driver"
	"errors"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

const (
	duplicateEntry = 1062
	outOfRange     = 1264
	lockWait       = 1205
	deadlock       = 1213
	recordChanged  = 1020
	certification  = 3101 // Group Replication refused the commit
	commitFailed   = 1180 // Galera refused the commit
	// TiDB's conflicts.
	lockRetryable = 8002
	schemaChanged = 8022
	writeConflict = 9007
)

// conflicts are the errors after which the database has rolled the whole transaction back, and another attempt may do.
var conflicts = []uint16{
	deadlock, lockWait, recordChanged, certification, commitFailed, lockRetryable, schemaChanged, writeConflict,
}

// conflict reports whether the database gave way to another transaction.
func conflict(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && slices.Contains(conflicts, e.Number)
}

// unused reports whether the connection was given up before it changed anything: it was broken already, or led to a
// server that refuses writes (see Config).
func unused(err error) bool { return errors.Is(err, driver.ErrBadConn) }

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

// OutOfRange reports whether err says that a number does not fit into its column.
func OutOfRange(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == outOfRange
}
