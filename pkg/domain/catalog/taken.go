package catalog

import (
	"encoding/json"
	"time"
)

// takenKind is what a record says was done to goods.
type takenKind int

const (
	takenChanged takenKind = iota
	takenAdded             // taken back by deleting them
	takenDeleted           // taken back by restoring them
)

// takenRow is goods whose change is taken back: as they are, as they were, and the members that differ.
type takenRow struct {
	Outcome

	kind takenKind
	was  members
}

// members are the members of a record of goods that can be taken back.
type members struct {
	RetailPrice, CounterPrice *json.Number
	OnSale, New, Hot          *bool
	CategoryID, BrandID       *int64
	SortOrder                 *int
	Products                  []map[string]any
	UpdateTime                time.Time
}
