package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The dashboards, alerts and runbook of the project are in order, and each mistake is found.
func TestCheck(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	if err := check(root); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, from, to, want string }{
		"no PromQL":          {alertsFile, "max(shop_outbox_overdue_seconds)", "max(shop_outbox_overdue_seconds", "unclosed"},
		"an unknown metric":  {alertsFile, "max(shop_outbox_overdue_seconds)", "max(shop_outbox_late)", "no service has the metric"},
		"a histogram":        {"deploy/watch/admin.json", "shop_job_run_seconds_sum", "shop_job_run_seconds", "no service has the metric"},
		"another service's":  {"deploy/watch/admin.json", "shop_outbox_pending", "hot_products", "admin does not have"},
		"an unknown label":   {"deploy/watch/storefront.json", `shop_orders_total{event=`, `shop_orders_total{state=`, "has no label"},
		"no entry":           {alarmsFile, "## OutboxOverdue", "## OutboxLate", "OutboxOverdue has no entry"},
		"no alert":           {alarmsFile, "## OutboxOverdue", "## OutboxLate", "no alert has the name OutboxLate"},
		"an incomplete one":  {alarmsFile, "**What to do.**", "", "lacks **What to do.**"},
		"another runbook":    {alertsFile, "alarms.md#outboxoverdue", "alarms.md#outbox", "the annotation runbook of OutboxOverdue"},
		"a metric that ends": {metricsFile, "| `shop_outbox_overdue_seconds` |", "| shop_outbox_overdue_seconds |", "no service has the metric"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for _, file := range []string{metricsFile, alarmsFile, alertsFile, "deploy/watch/admin.json", "deploy/watch/storefront.json"} {
				text, err := os.ReadFile(filepath.Join(root, file))
				if err != nil {
					t.Fatal(err)
				}
				if file == c.file {
					from, to := c.from, c.to
					if strings.HasSuffix(file, ".json") {
						from, to = strings.ReplaceAll(from, `"`, `\"`), strings.ReplaceAll(to, `"`, `\"`)
					}
					changed := strings.Replace(string(text), from, to, 1)
					if changed == string(text) {
						t.Fatalf("%s does not have %s", file, from)
					}
					text = []byte(changed)
				}
				at := filepath.Join(folder, file)
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := check(folder); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("check finds %v, not %s", err, c.want)
			}
		})
	}
}

func TestPage(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name + "=" + file
	}
	one := write("one", `{"Name":"a_total","Kind":"counter","Labels":["x","y"],"Help":"Some."}`)
	two := write("two", `{"Name":"a_total","Kind":"counter","Labels":["x","y"],"Help":"Some."}{"Name":"b","Kind":"gauge","Help":"More."}`)
	page, err := metricsPage([]string{one, two})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "page.md")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := readPage(file)
	if err != nil || len(read) != 2 || strings.Join(read["a_total"].services, " ") != "one two" ||
		strings.Join(read["a_total"].Labels, " ") != "x y" || len(read["b"].Labels) != 0 {
		t.Fatalf("%v %v from %s", read, err, page)
	}
	if _, err := metricsPage([]string{one, write("three", `{"Name":"a_total","Kind":"gauge","Help":"Some."}`)}); err == nil {
		t.Fatal("two declarations of one name are accepted")
	}
}
