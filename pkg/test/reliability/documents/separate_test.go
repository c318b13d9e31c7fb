package documents

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// separate requires that each service runs as its user, who reads the service's own secrets and nothing else that is secret.
func (m machine) separate(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Log("only root can run the services as their users, and try what these can read")
		return
	}
	secret, err := filesBelow(m.file("etc/shop"))
	must(t, err)
	for _, name := range []string{"storefront", "admin"} {
		own, err := filesBelow(m.file("run/credentials", name+".service"))
		must(t, err)
		secret = append(secret, own...)
	}
	for _, name := range []string{"storefront", "admin"} {
		u, err := m.unit(name)
		must(t, err)
		user, err := m.number(u["User"][0])
		must(t, err)
		pid, err := os.ReadFile(m.file(name + ".pid"))
		must(t, err)
		info, err := os.Stat(filepath.Join("/proc", string(pid)))
		must(t, err)
		if uid := info.Sys().(*syscall.Stat_t).Uid; int(uid) != user {
			t.Errorf("%s runs as the user %d, not as %s (%d)", name, uid, u["User"][0], user)
		}
		before, err := m.as(u)
		must(t, err)
		own, others := 0, 0
		for _, file := range secret {
			err := exec.CommandContext(t.Context(), before[0], append(slices.Clone(before[1:]), "cat", file)...).Run()
			isOwn := strings.HasPrefix(file, m.file("run/credentials", name+".service"))
			if (err == nil) != isOwn {
				t.Errorf("%s reads %s: %v", u["User"][0], file, err)
			}
			if isOwn {
				own++
			} else {
				others++
			}
		}
		if own < 3 || others < 15 {
			t.Errorf("%d secrets of %s and %d others were tried", own, name, others)
		}
	}
}
