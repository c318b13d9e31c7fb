// Command admin serves the administration API and runs the scheduled jobs.
package main

import (
	"context"
	"os"
	"time"

	"shop.internal/pkg/domain/storage/s3"
	"shop.internal/pkg/kit/program"
	"shop.internal/services/admin/internal/app"
)

func main() {
	program.Program[app.Config]{
		Name: "admin", Config: "deploy/admin/config.yaml", Prefix: app.Prefix,
		Load: app.LoadConfig, Check: app.Check, Describe: app.Describe, Metrics: app.Metrics,
		Health: func(c app.Config) string { return c.Ops.Listen },
		Run: func(ctx context.Context, c app.Config, s program.Start) error {
			return app.Run(ctx, c, program.Deps{Now: now, Clock: time.Now, Out: os.Stdout, Start: s}, s3.Open)
		},
	}.Main()
}

// now is the program's clock: UTC, truncated to the precision of the columns.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
