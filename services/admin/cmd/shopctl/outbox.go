package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	queue "shop.internal/pkg/domain/runtime/outbox"
)

func outbox(p *program) *cobra.Command {
	return group("outbox", "Look after side effects that are waiting or were given up", outboxList(p), outboxRetry(p))
}

func outboxList(p *program) *cobra.Command {
	var waiting bool
	var limit int
	c := &cobra.Command{
		Use:   "list",
		Short: "List the dead letters of the outbox",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 {
				return errors.New("--limit is at least 1")
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				events, err := s.Outbox.Pending(ctx, !waiting, limit)
				if err != nil {
					return err
				}
				return aligned(c, "ID\tTOPIC\tKEY\tROW\tTRIES", events, func(e queue.Event) string {
					return fmt.Sprintf("%d\t%s\t%s\t%d\t%d", e.ID, e.Topic, e.Key, e.Aggregate, e.Attempts)
				})
			})
		},
	}
	c.Flags().BoolVar(&waiting, "waiting", false, "list those that are still waiting instead")
	c.Flags().IntVar(&limit, "limit", 100, "the most rows")
	return c
}

func outboxRetry(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "retry ID...",
		Short: "Retry dead letters",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			events, err := ids(args)
			if err != nil {
				return err
			}
			return p.acting(c, "outbox_event", func(ctx context.Context, s shop) error {
				return eachID(c, events, "is queued again", "is not one that was given up", func(id int64) (bool, error) {
					return s.Outbox.Retry(ctx, id)
				})
			})
		},
	}
}

// ids parses arguments that are ids of rows.
func ids(args []string) ([]int64, error) {
	all := make([]int64, len(args))
	for i, a := range args {
		id, err := strconv.ParseInt(a, 10, 64)
		if err != nil || id < 1 {
			return nil, fmt.Errorf("%q is no id", a)
		}
		all[i] = id
	}
	return all, nil
}

// eachID retries each id, reports the result, and fails if there was nothing to retry.
func eachID(c *cobra.Command, all []int64, done, unknown string, try func(id int64) (bool, error)) error {
	var missing []string
	for _, id := range all {
		ok, err := try(id)
		if err != nil {
			return err
		}
		answer := done
		if !ok {
			answer = unknown
			missing = append(missing, strconv.FormatInt(id, 10))
		}
		if _, err := fmt.Fprintf(c.OutOrStdout(), "%d %s\n", id, answer); err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("nothing to try again: %s", strings.Join(missing, ", "))
	}
	return nil
}
