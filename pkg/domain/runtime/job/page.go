package job

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// WritePage writes the documentation page of the jobs.
func WritePage(w io.Writer, jobs []Job) error {
	var b bytes.Buffer
	b.WriteString("# Jobs\n\n")
	b.WriteString("The scheduled jobs of `admin` or `shopctl jobs run`, each on one replica at a time. ")
	b.WriteString("`jobs.periods` configures\nanother period for a job, up to its longest; ")
	b.WriteString("due work is at most that much late.\n\n")
	b.WriteString("| Job | Period | Longest period | Does |\n|---|---|---|---|\n")
	for _, j := range jobs {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", j.Name, period(j.Every), period(j.MaxEvery), j.Does)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the page on jobs: %w", err)
	}
	return nil
}

// period formats a duration as a whole number of the largest unit.
func period(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	default:
		return fmt.Sprintf("%g s", d.Seconds())
	}
}
