package job

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// MinEvery is the shortest period that a deployment may configure.
const MinEvery = 100 * time.Millisecond

// Periods are configured periods by the names of jobs.
type Periods map[string]time.Duration

// ParsePeriods parses a list of the form NAME=period, such as purge=30m.
func ParsePeriods(list []string) (Periods, error) {
	p := Periods{}
	for _, entry := range list {
		name, text, _ := strings.Cut(entry, "=")
		every, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not of the form NAME=30s", entry)
		}
		if _, twice := p[name]; twice {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		p[name] = every
	}
	return p, nil
}

// Check fails for an unknown job, and for a period longer than the job allows.
func (p Periods) Check(jobs []Job) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(p)) {
		i := slices.IndexFunc(jobs, func(j Job) bool { return j.Name == name })
		switch every := p[name]; {
		case i < 0:
			wrong = append(wrong, fmt.Errorf("there is no job %q; there are %s", name, strings.Join(Names(jobs), ", ")))
		case every < MinEvery || every > jobs[i].MaxEvery:
			wrong = append(wrong, fmt.Errorf("%s is not within %s and %s", name, MinEvery, jobs[i].MaxEvery))
		}
	}
	return errors.Join(wrong...)
}

// Apply returns the jobs with their configured periods.
func (p Periods) Apply(jobs []Job) []Job {
	chosen := slices.Clone(jobs)
	for i, j := range chosen {
		if every, ok := p[j.Name]; ok {
			chosen[i].Every = every
		}
	}
	return chosen
}

// Names are the names of jobs, in their order.
func Names(jobs []Job) []string {
	names := make([]string, len(jobs))
	for i, j := range jobs {
		names[i] = j.Name
	}
	return names
}
