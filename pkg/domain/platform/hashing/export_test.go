package hashing

// Nobody is the hash that no password has.
func (h *Hasher) Dummy() []byte { return h.dummy }
