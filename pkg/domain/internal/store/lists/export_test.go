package lists

// Early lets a list cache totals, and use bookmarks, from n rows on.
func (l *Query) Early(n int) *Query {
	l.limits.bookmark, l.limits.total = n, int64(n)
	return l
}

// Many lets a list with few rows be scanned.
func (l *Query) Many() *Query {
	l.limits.sort = 0
	return l
}
