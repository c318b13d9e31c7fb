package wire

import "time"

// Stamps are the three last members of many records. Deleted rows are not answered, so Deleted is false.
type Stamps struct {
	AddTime    Time `json:"addTime"`
	UpdateTime Time `json:"updateTime"`
	Deleted    bool `json:"deleted"`
}

// Stamps returns the stamps of a record.
func (z Zone) Stamps(added, updated time.Time) Stamps {
	return Stamps{AddTime: z.At(added), UpdateTime: z.At(updated), Deleted: false}
}
