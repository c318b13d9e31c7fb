// Package upload owns the rows of stored files and keeps track of which uploads of shoppers are used. An upload has no
// owner among the rows of the shop: whatever is written may name it, in a list or within a text. So whoever writes what
// people have entered says so here, in the transaction that writes it. What has never been used can be removed. The
// bytes of the files are the business of the area storage.
package upload

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

const keyLength = 20

// letters are those that a key is made of, but for its extension.
const letters = "abcdefghijklmnopqrstuvwxyz234567"

// NewKey returns 20 random letters and digits, 100 bits, to which an extension with a dot is added.
func NewKey() string { return strings.ToLower(rand.Text()[:keyLength]) }

// Keys returns what looks like the key of an upload in a text: 20 letters before a dot, and what follows it.
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

// most is how many uploads one statement marks.
const most = 1000

// Use marks the uploads that a value names anywhere as used, for good. The caller writes the value in the same
// transaction, and locks nothing after it. Where there is none, no statement is run. It fails with errno.Invalid for an
// upload that was removed because nothing had used it.
func Use(ctx context.Context, tx *db.Tx, value any) error {
	written, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("look for uploads in a value: %w", err)
	}
	for keys := range slices.Chunk(Keys(string(written)), most) {
		n, err := MarkUsed(ctx, tx, keys)
		if err != nil {
			return err
		}
		if n == int64(len(keys)) {
			continue
		}
		// The others are used already, are not tracked or no uploads, or have been removed.
		gone, err := rows.Exists(ctx, tx, "r.storage_key IN ? AND r.deleted = 1 AND r.unused_since IS NOT NULL", keys)
		if err != nil {
			return err
		}
		if gone {
			return fmt.Errorf("an upload is gone: %w", errno.Invalid.Because(text.UploadGone))
		}
	}
	return nil
}

// MarkUsed ends the time that uploads have been unused for and returns how many it ended. It waits for whoever is
// removing one of them.
func MarkUsed(ctx context.Context, tx *db.Tx, keys []string) (int64, error) {
	return rows.Update(ctx, tx, table.Set{"unused_since": nil},
		"storage_key IN ? AND del_mark = 0 AND unused_since IS NOT NULL", keys)
}
