package hashing

// Nobody is the hash that no password has.
func (h *Hasher) Nobody() []byte { return h.nobody }
