package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
)

func freights(p *program) *cobra.Command {
	return group("freight", "Look after freight templates", freightRehearse(p))
}

func freightRehearse(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "rehearse TEMPLATE",
		Short: "Show what a freight template would have charged for the last 100 orders",
		Long: "Prints the freight of the last orders that were paid and not refunded beside what the template would have " +
			"charged if all their goods had named it. TEMPLATE is the id of a template, or a file with one that is not " +
			"saved: the JSON body of /admin/freight/create. Nothing is changed.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				t, err := templateOf(ctx, s, args[0])
				if err != nil {
					return err
				}
				r, err := s.Orders.RehearseFreight(ctx, t)
				if err != nil {
					return err
				}
				return printFreight(c, r)
			})
		},
	}
}

// templateOf reads the template that an id or a file names.
func templateOf(ctx context.Context, s shop, named string) (freight.Template, error) {
	if id, err := strconv.ParseInt(named, 10, 64); err == nil {
		return s.Freight.Template(ctx, id)
	}
	text, err := os.ReadFile(named)
	if err != nil {
		return freight.Template{}, err
	}
	var f struct {
		Charge      freight.Charge
		PieceWeight int
		Rules       []struct {
			Regions                            []int
			Refused                            bool
			FirstUnits, FurtherUnits           int
			FirstPrice, FurtherPrice, FreeFrom json.Number
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return freight.Template{}, fmt.Errorf("read %s: %w", named, err)
	}
	t := freight.Template{Charge: f.Charge, PieceWeight: f.PieceWeight}
	for _, r := range f.Rules {
		rule := freight.Rule{
			Regions: r.Regions, Refused: r.Refused, First: max(r.FirstUnits, 1), Further: max(r.FurtherUnits, 1),
		}
		for _, price := range []struct {
			to   *money.Amount
			from json.Number
		}{{&rule.FirstPrice, r.FirstPrice}, {&rule.FurtherPrice, r.FurtherPrice}, {&rule.FreeFrom, r.FreeFrom}} {
			if price.from == "" {
				continue
			}
			if *price.to, err = money.Parse(price.from.String()); err != nil {
				return t, fmt.Errorf("read %s: %w", named, err)
			}
		}
		t.Rules = append(t.Rules, rule)
	}
	return t, t.Check()
}

// printFreight prints a line for each order, and the sums.
func printFreight(c *cobra.Command, r order.FreightRehearsal) error {
	refused := 0
	err := aligned(c, "ORDER\tCHARGED\tWOULD", r.All, func(o order.Refreighted) string {
		would := o.Would.String()
		if o.Refused {
			refused++
			would = "not delivered"
		}
		return o.SN + "\t" + o.Price.Freight.String() + "\t" + would
	})
	fmt.Fprintf(c.OutOrStdout(), "%d orders, %d of them not delivered; the others paid %s and would have paid %s\n",
		len(r.All), refused, r.Charged, r.Would)
	return err
}
