// Package upload owns the rows of stored files and tracks which uploads of shoppers are used. Any stored text may refer
// to an upload, in a list or inside HTML, so every function that stores entered text calls Use in the same transaction.
// Uploads that were never used can be removed. The bytes of the files belong to the area storage.
package upload

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/hosted"
	"shop.internal/pkg/domain/internal/store/table"
)

const keyLength, letters = hosted.KeyLength, hosted.Letters

// NewKey returns 20 random letters and digits, 100 bits, to which an extension is added.
func NewKey() string { return strings.ToLower(rand.Text()[:keyLength]) }

// Keys returns what looks like the key of an upload in a text: 20 letters, a dot and an extension.
func Keys(t string) []string {
	var keys []string
	for dot := range len(t) {
		if t[dot] != '.' || dot < keyLength || strings.Trim(t[dot-keyLength:dot], letters) != "" {
			continue
		}
		end := dot + 1
		for end < len(t) && (t[end] >= 'a' && t[end] <= 'z' || t[end] >= '0' && t[end] <= '9') {
			end++
		}
		keys = append(keys, t[dot-keyLength:end])
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Any reports whether there is any file, deleted or not.
func Any(ctx context.Context, q db.Querier) (bool, error) { return rows.Exists(ctx, q, "TRUE") }

// most bounds the uploads that one statement marks.
const most = 1000

// Use marks the uploads that a value refers to as used, for good. The caller stores the value in the same transaction,
// and locks nothing after it. Without any, no statement runs. It fails with errno.Invalid for an upload that was
// removed as unused.
func Use(ctx context.Context, tx *db.Tx, value any) error {
	written, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("find uploads in a value: %w", err)
	}
	for keys := range slices.Chunk(Keys(string(written)), most) {
		n, err := MarkUsed(ctx, tx, keys)
		if err != nil {
			return err
		}
		if n == int64(len(keys)) {
			continue
		}
		// The others are used already, are not tracked or no uploads, or were removed.
		gone, err := rows.Exists(ctx, tx, "r.storage_key IN ? AND r.deleted = 1 AND r.unused_since IS NOT NULL", keys)
		if err != nil {
			return err
		}
		if gone {
			return fmt.Errorf("an upload is gone: %w", errno.Invalid.Because(text.UploadExpired))
		}
	}
	return nil
}

// MarkUsed marks unused uploads as used and returns how many. It waits for a concurrent removal.
func MarkUsed(ctx context.Context, tx *db.Tx, keys []string) (int64, error) {
	return rows.Update(ctx, tx, table.Set{"unused_since": nil},
		"storage_key IN ? AND del_mark = 0 AND unused_since IS NOT NULL", keys)
}
