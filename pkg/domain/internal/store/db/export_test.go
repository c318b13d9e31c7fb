package db

import "context"

// LookAtReplicas is one turn of WatchReplicas.
func (d *DB) LookAtReplicas(ctx context.Context) { d.readers.look(ctx, d.sql) }

// Several is several.
func Several(text string) bool { return several(text) }
