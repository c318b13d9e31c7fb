package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/access"
	"shop.internal/services/admin/internal/app"
)

// errNotGranted is the negative answer, which is no failure of the command.
var errNotGranted = errors.New("not granted")

func accessTo(p *program) *cobra.Command {
	return group("access", "Tell who may do what, and why", accessWhy(p), accessWho(p))
}

func accessWhy(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "why OPERATOR PERMISSION",
		Short: "Explain why an operator has a permission",
		Long: "Lists the roles that grant an operator a permission such as admin:order:ship, and those that would if they " +
			"were not disabled. Exits with 0 if the operator has the permission, with 3 if not, and with 1 if that is not " +
			"known.",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			value, err := declared(args[1])
			if err != nil {
				return err
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				paths, may, err := s.Access.GrantPathsOf(ctx, args[0], value)
				if errors.Is(err, errno.Invalid) {
					return fmt.Errorf("there is no operator %s", args[0])
				}
				if err != nil {
					return err
				}
				out := c.OutOrStdout()
				if may {
					fmt.Fprintf(out, "%s may use %s\n", args[0], value)
				} else {
					fmt.Fprintf(out, "%s may not use %s\n", args[0], value)
				}
				for _, t := range paths {
					fmt.Fprintf(out, "  role %d %s: %s\n", t.RoleID, t.Role, standing(t))
				}
				if len(paths) == 0 {
					fmt.Fprintln(out, "  none of the roles grants it")
				}
				if !may {
					return fmt.Errorf("%s to %s: %w", value, args[0], errNotGranted)
				}
				return nil
			})
		},
	}
}

func accessWho(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "who PERMISSION",
		Short: "List the operators who have a permission, with the roles that grant it",
		Long: "Lists the operators who have a permission such as admin:order:ship, and those who would if they or their " +
			"roles were not disabled; * lists those who may do everything.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			value, err := declared(args[0])
			if err != nil {
				return err
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				paths, err := s.Access.GrantPaths(ctx, value)
				if err != nil {
					return err
				}
				return aligned(c, "OPERATOR\tROLE\tHOW", paths, func(t access.GrantPath) string {
					return fmt.Sprintf("%s\t%d %s\t%s", t.Operator, t.RoleID, t.Role, standing(t))
				})
			})
		},
	}
}

// declared returns the permission value for a name or an alias.
func declared(name string) (string, error) {
	if name == access.Super {
		return name, nil
	}
	registry, err := app.Registry()
	if err != nil {
		return "", err
	}
	value, known := registry.Value(name)
	if !known {
		return "", fmt.Errorf("there is no permission %s; `shopctl docs permissions` lists them", name)
	}
	return value, nil
}

// standing describes how a role relates to a permission.
func standing(t access.GrantPath) string {
	how := "grants it"
	if t.Super {
		how = "grants everything"
	}
	switch {
	case t.RoleDeleted:
		return how + ", but is deleted"
	case t.Disabled:
		return how + ", but is disabled"
	case t.Locked:
		return how + ", but the operator is locked"
	}
	return how
}
