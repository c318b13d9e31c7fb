package documents

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// systemctlTool starts and restarts services as their units say, and waits until they tell that they are ready. The proxy is none of
// them: the addresses of the pages lead past it.
func systemctlTool(ctx context.Context, m machine, args []string) error {
	switch strings.Join(args, " ") {
	case "daemon-reload":
		return nil
	case "reload caddy":
		_, err := os.Stat(m.file("etc/caddy/Caddyfile"))
		return err
	}
	names, found := slices.Clone(args), false
	for _, verb := range [][]string{{"enable", "--now"}, {"start"}, {"restart"}, {"stop"}} {
		if len(args) > len(verb) && slices.Equal(args[:len(verb)], verb) {
			names, found = args[len(verb):], true
		}
	}
	if !found {
		return fmt.Errorf("unexpected arguments: %v", args)
	}
	for _, name := range names {
		if err := m.end(ctx, name); err != nil {
			return err
		}
		if args[0] == "stop" {
			continue
		}
		if err := m.begin(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// unit is what the unit of a service and its drop-ins say: the values of each directive.
type unit map[string][]string

func (m machine) unit(name string) (unit, error) {
	file := m.file("etc/systemd/system", name+".service")
	more, err := filepath.Glob(file + ".d/*.conf")
	if err != nil {
		return nil, err
	}
	u := unit{}
	for _, file := range append([]string{file}, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(key, "#") {
				u[key] = append(u[key], value)
			}
		}
	}
	return u, nil
}

// environment is what the unit sets and its file, with the folder of the credentials in place of %d.
func (m machine) environment(u unit, credentials string) ([]string, error) {
	text, err := os.ReadFile(m.file(u["EnvironmentFile"][0]))
	if err != nil {
		return nil, err
	}
	var env []string
	for _, entry := range u["Environment"] {
		env = append(env, strings.ReplaceAll(entry, "%d", credentials))
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env = append(env, name+"="+strings.Trim(value, "'"))
	}
	return env, nil
}

// credentials copies the secrets that a unit names into a folder that its user alone can read, and returns it.
func (m machine) credentials(name string, u unit) (string, error) {
	dir := m.file("run/credentials", name+".service")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, entry := range u["LoadCredential"] {
		credential, source, _ := strings.Cut(entry, ":")
		text, err := os.ReadFile(m.file(strings.TrimPrefix(source, m.Root))) // a drop-in that a page has written names it whole
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, credential), text, 0o400); err != nil {
			return "", err
		}
		if err := m.give(filepath.Join(dir, credential), u["User"][0], u["Group"][0]); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		return "", err
	}
	return dir, m.give(dir, u["User"][0], u["Group"][0])
}

// as is what stands before a command so that it runs as the user of a unit, which only root can have it do.
func (m machine) as(u unit) ([]string, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	user, err := m.number(u["User"][0])
	if err != nil {
		return nil, err
	}
	group, err := m.number(u["Group"][0])
	if err != nil {
		return nil, err
	}
	return []string{
		"setpriv", "--reuid", strconv.Itoa(user), "--regid", strconv.Itoa(group), "--clear-groups", "--no-new-privs",
		"--bounding-set=-all", "--inh-caps=-all", "--",
	}, nil
}

// begin starts a service by its unit.
func (m machine) begin(ctx context.Context, name string) error {
	u, err := m.unit(name)
	if err != nil {
		return err
	}
	credentials, err := m.credentials(name, u)
	if err != nil {
		return err
	}
	env, err := m.environment(u, credentials)
	if err != nil {
		return err
	}
	command, err := m.as(u)
	if err != nil {
		return err
	}
	for _, word := range strings.Fields(u["ExecStart"][0]) {
		if strings.HasPrefix(word, "/") {
			word = m.file(word)
		}
		command = append(command, word)
	}
	log, err := os.Create(m.file(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	ready := m.file(name + ".sock")
	_ = os.Remove(ready)
	heard, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: ready, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer heard.Close()
	if err := os.Chmod(ready, 0o777); err != nil {
		return err
	}
	cmd := exec.Command(command[0], command[1:]...) // as the unit says; it outlives this program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, m.Root
	cmd.Env = append(env, "NOTIFY_SOCKET="+ready, "PATH="+os.Getenv("PATH"))
	for setting, value := range m.Settings {
		if strings.HasPrefix(setting, strings.ToUpper(name)+"_") {
			cmd.Env = append(cmd.Env, setting+"="+value)
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(m.file(name+".pid"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil {
		return err
	}
	until, _ := ctx.Deadline()
	if err := heard.SetReadDeadline(until); err != nil {
		return err
	}
	gone := make(chan error, 1)
	go func() {
		gone <- cmd.Wait()
		_ = heard.Close()
	}()
	for said := make([]byte, 4096); ; {
		n, err := heard.Read(said)
		switch {
		case err != nil:
			text, _ := os.ReadFile(log.Name())
			return fmt.Errorf("it does not tell that it is ready: %w\n%s", err, text)
		case strings.Contains(string(said[:n]), "READY=1"):
			return nil
		}
	}
}

// end stops a service with SIGTERM and waits.
func (m machine) end(ctx context.Context, name string) error {
	text, err := os.ReadFile(m.file(name + ".pid"))
	if err != nil {
		return nil // it was not started
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return err
	}
	for running := syscall.Kill(pid, syscall.SIGTERM); running == nil && ctx.Err() == nil; {
		time.Sleep(20 * time.Millisecond)
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, _ := strings.Cut(string(stat), ") "); err != nil || strings.HasPrefix(state, "Z") {
			break
		}
	}
	return ctx.Err()
}
