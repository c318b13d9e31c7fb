package listing

// Early lets a list keep totals, and begin at remembered places, from n rows on.
func (l *Query) Early(n int) *Query {
	l.far, l.large = n, int64(n)
	return l
}

// Many lets a list be walked that has few rows.
func (l *Query) Many() *Query {
	l.few = 0
	return l
}
