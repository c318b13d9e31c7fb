package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/platform/errno"
)

func admin(p *program) *cobra.Command {
	return group("admin", "Make, disable and let in operators", adminCreate(p), adminDisable(p), adminPassword(p))
}

const passwordHelp = "read the password from standard input; without it a random one is made and printed once"

func adminCreate(p *program) *cobra.Command {
	var fromInput bool
	c := &cobra.Command{
		Use:   "create NAME",
		Short: "Create an operator who may do everything",
		Long: "Creates an operator with the super role, and the role if there is none. The name has 6 to 20 " +
			"letters, digits, underscores or Chinese characters.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.withPassword(c, fromInput, func(ctx context.Context, s shop, password string) error {
				_, err := s.Access.Create(ctx, args[0], password)
				return explained(err, args[0])
			}, "operator "+args[0]+" was made")
		},
	}
	c.Flags().BoolVar(&fromInput, "password-stdin", false, passwordHelp)
	return c
}

func adminPassword(p *program) *cobra.Command {
	var fromInput bool
	c := &cobra.Command{
		Use:   "password NAME",
		Short: "Give an operator a new password and end its sessions",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.withPassword(c, fromInput, func(ctx context.Context, s shop, password string) error {
				id, err := s.Access.SetPassword(ctx, args[0], password)
				if err != nil {
					return explained(err, args[0])
				}
				return s.Sessions.End(ctx, id)
			}, "operator "+args[0]+" has a new password; its sessions are over")
		},
	}
	c.Flags().BoolVar(&fromInput, "password-stdin", false, passwordHelp)
	return c
}

func adminDisable(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "disable NAME",
		Short: "Lock an operator and end its sessions",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.acting(c, "admin", func(ctx context.Context, s shop) error {
				id, err := s.Access.Disable(ctx, args[0])
				if err != nil {
					return explained(err, args[0])
				}
				if err := s.Sessions.End(ctx, id); err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "operator %s is disabled; its sessions are over\n", args[0])
				return err
			})
		},
	}
}

// withPassword gets a password, calls do, and reports what was done.
func (p *program) withPassword(
	c *cobra.Command, fromInput bool, do func(context.Context, shop, string) error, done string,
) error {
	password := rand.Text()
	if fromInput {
		var err error
		if password, err = readLine(c); err != nil {
			return err
		}
	}
	return p.acting(c, "admin", func(ctx context.Context, s shop) error {
		if err := do(ctx, s, password); err != nil {
			return err
		}
		if !fromInput {
			done += "\npassword: " + password + "\nIt is not shown again."
		}
		_, err := fmt.Fprintln(c.OutOrStdout(), done)
		return err
	})
}

// readLine reads a line of the input. It ends with the context, as at an interrupt.
func readLine(c *cobra.Command) (string, error) {
	var line string
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		line, err = bufio.NewReader(c.InOrStdin()).ReadString('\n')
	}()
	select {
	case <-c.Context().Done():
		return "", c.Context().Err()
	case <-read:
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the input: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// explained adds to a refusal what can be done about it.
func explained(err error, name string) error {
	switch {
	case errors.Is(err, errno.AdminInvalidName):
		return fmt.Errorf("the name %q does not fit: 6 to 20 letters, digits, underscores or Chinese characters, "+
			"not ending in an underscore", name)
	case errors.Is(err, errno.AdminInvalidPassword):
		return errors.New("the password does not fit: 6 to 64 characters, at most 72 bytes")
	case errors.Is(err, errno.AdminNameExists):
		return fmt.Errorf("there is an operator %s already; `shopctl admin password %s` gives a new password", name, name)
	case errors.Is(err, errno.UpdateFailed):
		return fmt.Errorf("there is no operator %s", name)
	case errors.Is(err, errno.AdminAlterNotAllowed):
		return fmt.Errorf("%s is the last operator who may do everything; make another one first", name)
	case errors.Is(err, errno.RoleNameExists):
		return errors.New("the super role is disabled; enable it first")
	}
	return err
}
