// Command storefront serves the storefront API.
package main

import (
	"shop.internal/pkg/kit/program"
	"shop.internal/services/storefront/internal/app"
)

func main() {
	program.Program[app.Config]{
		Name: "storefront", Config: "deploy/storefront/config.yaml", Prefix: app.Prefix,
		Load: app.LoadConfig, Check: app.Check, Describe: app.Describe, Metrics: app.Metrics, Run: app.Run,
		Health: func(c app.Config) string { return c.Ops.Listen },
	}.Main()
}
