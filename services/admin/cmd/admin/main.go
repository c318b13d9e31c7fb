// Command admin serves the administration API and runs the scheduled jobs.
package main

import (
	"shop.internal/pkg/kit/program"
	"shop.internal/services/admin/internal/app"
)

func main() {
	program.Program[app.Config]{
		Name: "admin", Config: "deploy/admin/config.yaml", Prefix: app.Prefix,
		Load: app.LoadConfig, Check: app.Check, Describe: app.Describe, Metrics: app.Metrics, Run: app.Run,
		Health: func(c app.Config) string { return c.Ops.Listen },
	}.Main()
}
