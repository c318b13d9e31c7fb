package job_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/runtime/job"
)

func TestPeriods(t *testing.T) {
	t.Parallel()
	jobs := []job.Job{
		{Name: "outbox", Every: time.Second, MaxEvery: time.Minute}, {Name: "purge", Every: time.Hour, MaxEvery: time.Hour},
	}
	for list, want := range map[[2]string]string{
		{"purge=30m", ""}:           "",
		{"purge=1h", "outbox=1m"}:   "",
		{"purge=100ms", ""}:         "",
		{"purge=99ms", ""}:          "purge is not within 100ms and 1h0m0s",
		{"purge=1h1ns", ""}:         "purge is not within 100ms and 1h0m0s",
		{"purge=-1s", ""}:           "purge is not within",
		{"purge=0", "outbox=2m"}:    "outbox is not within 100ms and 1m0s\npurge is not within",
		{"purge", ""}:               `"purge" is not of the form NAME=30s`,
		{"purge=", ""}:              `"purge=" is not of the form`,
		{"purge=5", ""}:             `"purge=5" is not of the form`,
		{"purge=1m", "purge=2m"}:    "purge is named twice",
		{"dance=1m", ""}:            `there is no job "dance"; there are outbox, purge`,
		{"Purge=1m", "outbox=1s"}:   `there is no job "Purge"`,
		{"checkOrderUnpaid=1s", ""}: `there is no job "checkOrderUnpaid"`,
	} {
		entries := list[:]
		if list[1] == "" {
			entries = list[:1]
		}
		p, err := job.ParsePeriods(entries)
		if err == nil {
			err = p.Check(jobs)
		}
		if want == "" {
			require.NoError(t, err, list)
			continue
		}
		require.ErrorContains(t, err, want, list)
	}
	p, err := job.ParsePeriods([]string{"purge=30m"})
	require.NoError(t, err)
	got := p.Apply(jobs)
	require.Equal(t, []time.Duration{time.Second, 30 * time.Minute}, []time.Duration{got[0].Every, got[1].Every})
	require.Equal(t, time.Hour, jobs[1].Every, "the declaration stays what it is")
}
