package wire

// Ref is a request that names one record. Clients may send the whole record; only its id is read.
type Ref struct {
	ID int64 `json:"id" check:"required"`
}

// Refs is a request that names several records.
type Refs struct {
	IDs []int64 `json:"ids" check:"required,notEmpty"`
}
