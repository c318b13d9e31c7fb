package cache

// Size is the number of values that use memory.
func (c *Cache[K, V]) Size() int { return c.values.(*values).entries.EstimatedSize() }
