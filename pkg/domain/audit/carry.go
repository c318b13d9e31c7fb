package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Packed returns the call of a context as text, for work that another process may have to finish; it is empty outside
// an operator's call.
func Packed(ctx context.Context) (string, error) {
	call, ok := From(ctx)
	if !ok {
		return "", nil
	}
	text, err := json.Marshal(call)
	if err != nil {
		return "", fmt.Errorf("pack an operator's call: %w", err)
	}
	return string(text), nil
}

// Unpacked returns a context in which changes are recorded as those of a packed call, made now. An empty text leaves
// the context alone.
func Unpacked(ctx context.Context, packed string, now time.Time) (context.Context, error) {
	if packed == "" {
		return ctx, nil
	}
	var call Call
	if err := json.Unmarshal([]byte(packed), &call); err != nil {
		return ctx, fmt.Errorf("unpack an operator's call: %w", err)
	}
	call.At = now
	return With(ctx, call), nil
}
