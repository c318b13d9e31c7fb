package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/notify"
	"shop.internal/services/admin/internal/app"
)

func message(p *program) *cobra.Command {
	test := group("test", "Send a test message as the services would",
		messageTest(p, "sms NUMBER", "sms.sender", func(c app.Config) string { return c.SMS.Sender },
			func(ctx context.Context, s *notify.Service, to string) error {
				if !number.MatchString(to) {
					return fmt.Errorf("%q is no number of a telephone: want digits alone, or + and digits", to)
				}
				return s.SMS(ctx, "", to, text.SMSCode, map[string]string{"code": "000000", "minutes": "5"})
			}),
		messageTest(p, "mail ADDRESS", "mail.sender", func(c app.Config) string { return c.Mail.Sender },
			func(ctx context.Context, s *notify.Service, to string) error {
				address, err := notify.MailAddress(to)
				if err != nil {
					return fmt.Errorf("%q %w", to, err)
				}
				return s.Mail(ctx, "", []string{address}, text.MailTest, nil)
			}))
	test.Long = "Sends a mail, or a verification code that is good for nothing, by the sender of the configuration. " +
		"It reads neither the database nor Redis, so the code comes without the name of the shop. " +
		"The storefront has its own configuration, which should name the same " +
		"senders."
	return group("message", "Look after messages to people", test)
}

// number is the form of telephone numbers in any country.
var number = regexp.MustCompile(`^\+?[0-9]{5,15}$`)

// messageTest sends one message and reports the result.
func messageTest(
	p *program, use, key string, by func(app.Config) string,
	send func(context.Context, *notify.Service, string) error,
) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: "Send one by " + key, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := app.LoadConfig(p.file)
			if err != nil {
				return err
			}
			sender, texts, err := cfg.Senders(cfg.Shop.Speaks(), p.now)
			if err != nil {
				return err
			}
			err = send(c.Context(), notify.New(sender, texts, nil), args[0])
			switch {
			case errors.Is(err, notify.ErrUnsupported) && by(cfg) == "none":
				return fmt.Errorf("nothing is sent: %s is none", key)
			case errors.Is(err, notify.ErrUnsupported):
				return fmt.Errorf("nothing is sent by %s: %w", by(cfg), err)
			case err != nil:
				return fmt.Errorf("the message was not taken by %s: %w", by(cfg), err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s has taken the message for %s\n", by(cfg), args[0])
			return err
		},
	}
}
