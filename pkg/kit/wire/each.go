package wire

// Each renders each item of a list by view; the result is never null.
func Each[T, V any](list []T, view func(T) V) []V {
	out := make([]V, len(list))
	for i, item := range list {
		out[i] = view(item)
	}
	return out
}
