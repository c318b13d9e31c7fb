package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/settings"
)

// detail is a setting that the owner of a new shop enters: by a flag of setup, or in answer to a question.
type detail struct {
	flag, question string
	group          settings.Group
	key            string
}

var details = []detail{
	{"name", "name of the shop", settings.Mall, "litemall_mall_name"},
	{"phone", "telephone for shoppers", settings.Mall, "litemall_mall_phone"},
	{"address", "address of the shop", settings.Mall, "litemall_mall_address"},
	{"currency", "currency, by its code of ISO 4217", settings.Mall, "litemall_mall_currency"},
	{"freight", "freight of an order", settings.Express, "litemall_express_freight_value"},
	{"free-from", "amount from which an order is sent free", settings.Express, "litemall_express_freight_min"},
}

// ownerDetails are the values of the flags, by flag.
type ownerDetails map[string]*string

// flags adds a flag for each detail.
func (d ownerDetails) flags(c *cobra.Command) {
	for _, each := range details {
		d[each.flag] = c.Flags().String(each.flag, "", each.question)
	}
}

// save stores what was given; the person at a terminal is asked for the rest while the shop is new.
func (d ownerDetails) save(ctx context.Context, c *cobra.Command, s shop, asked bool) error {
	given := map[string]string{}
	for _, each := range details {
		if c.Flags().Changed(each.flag) {
			given[each.flag] = *d[each.flag]
		}
	}
	if asked {
		if err := d.ask(ctx, c.InOrStdin(), c.OutOrStdout(), s, given); err != nil {
			return err
		}
	}
	for _, each := range details {
		text, ok := given[each.flag]
		if !ok {
			continue
		}
		if err := s.Settings.Save(ctx, each.group, map[string]string{each.key: text}); err != nil {
			return fmt.Errorf("--%s %q: %w", each.flag, text, err)
		}
	}
	return nil
}

// ask asks for each detail that was not given. An empty answer keeps what is set.
func (d ownerDetails) ask(ctx context.Context, in io.Reader, out io.Writer, s shop, given map[string]string) error {
	lines := bufio.NewReader(in)
	for _, each := range details {
		if _, ok := given[each.flag]; ok {
			continue
		}
		now, err := s.Settings.Texts(ctx, each.group)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s [%s]: ", each.question, now[each.key])
		line, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the %s: %w", each.question, err)
		}
		if line = strings.TrimSpace(line); line != "" {
			given[each.flag] = line
		}
	}
	return nil
}

// atTerminal reports whether a person can be asked.
func atTerminal(c *cobra.Command) bool {
	in, ok := c.InOrStdin().(*os.File)
	if !ok {
		return false
	}
	about, err := in.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}

// missing prints what the shop still needs before somebody can buy, and where its console is.
func missing(ctx context.Context, s shop, out io.Writer) error {
	now, err := s.Settings.Now(ctx)
	if err != nil {
		return err
	}
	goods, err := s.Catalog.Count(ctx)
	if err != nil {
		return err
	}
	for _, each := range []struct {
		lacking bool
		what    string
	}{
		{now.MallName == "", "a name: `shopctl setup --name`"},
		{s.config.SMS.Sender == "none", "a sender of text messages, with whose codes shoppers register: sms.sender"},
		{len(s.config.Payment.Offered()) == 0, "a payment channel: payment.channels, such as [transfer, cod]"},
		{goods == 0, "goods on sale, which staff enter in the console"},
	} {
		if each.lacking {
			fmt.Fprintln(out, "missing:", each.what)
		}
	}
	_, err = fmt.Fprintf(out, "the staff console is what admin serves, which listens at %s\n", s.config.Listen)
	return err
}
