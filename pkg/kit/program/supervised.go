package program

import (
	"context"
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// supervised tells systemd that the program has started, and again and again that it lives, until ctx ends. Without
// systemd it does nothing.
func supervised(ctx context.Context) error {
	if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
		return fmt.Errorf("tell systemd that the program has started: %w", err)
	}
	within, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		return fmt.Errorf("read what systemd's watchdog expects: %w", err)
	}
	if within == 0 {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(within / 2) // so that one message may be late
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if _, err := daemon.SdNotify(false, daemon.SdNotifyWatchdog); err != nil {
			return fmt.Errorf("tell systemd that the program lives: %w", err)
		}
	}
}
