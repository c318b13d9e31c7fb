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
	counterWait    = 1467 // MariaDB's lock timeout at a counter of AUTO_INCREMENT, which an INSERT of many rows holds
	deadlock       = 1213
	recordChanged  = 1020
	certification  = 3101 // Group Replication refused the commit
	commitFailed   = 1180 // Galera refused the commit
	// TiDB's conflicts.
	lockRetryable = 8002
	schemaChanged = 8022
	writeConflict = 9007
)

// conflicts are the errors after which the database has rolled back the whole transaction and a retry may succeed.
var conflicts = []uint16{
	deadlock, lockWait, counterWait, recordChanged, certification, commitFailed,
	lockRetryable, schemaChanged, writeConflict,
}

// conflict reports whether the database rolled back in favour of another transaction.
func conflict(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && slices.Contains(conflicts, e.Number)
}

// unused reports whether the connection was dropped before it changed anything: it was broken already, or led to a
// server that refuses writes (see Config).
func unused(err error) bool { return errors.Is(err, driver.ErrBadConn) }

// waited reports whether err is a lock timeout.
func waited(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (e.Number == lockWait || e.Number == counterWait)
}

// Duplicate reports whether err says that a row with the same value of a unique key exists; key is its name, as in
// "uk_user_name", or "" for any.
func Duplicate(err error, key string) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok || e.Number != duplicateEntry {
		return false
	}
	// MySQL gives the name of the key only in its text: "... for key 'table.key'" or "'key'".
	return key == "" || strings.Contains(e.Message, key+"'")
}

// OutOfRange reports whether err says that a number does not fit its column.
func OutOfRange(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && e.Number == outOfRange
}
